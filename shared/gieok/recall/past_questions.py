"""Whether a message asks about what was, or about what its user has told of themselves.

Only such a message is worth a rewriting, which costs a call and its wait.
"""

import re

from gieok.language import korean

_READ = 120
"""Characters of a sentence's end that are looked at, since a wall of text costs their square."""
_SENTENCE = re.compile(r"[^.!?？。\n]+[?？]?")
_WHICH = "(?:뭐|뭔|뭘|무엇|무슨|누구|누가|누굴|언제|어디|어느|어떤|어떻게|어땠|왜|몇|며칠|얼마)"
# What ends a sentence: a subject that comes late ("얼마였지 나"), laughing, tears, a mark.
_END = r"(?:\s(?:나|내가|너|네가|니가|우리))?[\s?？ㅋㅎㅠㅜ~.!]*$"
_REMINDS = re.compile(
    rf"(?:기억|생각)\s?(?:안\s?)?(?:나|해|하)(?:나|니|냐|지|요|죠)?{_END}|가물가물|{_WHICH}게{_END}"
    r"|\bdo you (?:still )?remember\b|\bremind me\b|\bremember (?:when|what|who|where|how|my|our)\b"
    r"|覚えて(?:る|ます|いる|います)|(?:だ|た)っけ"
)
# Syllables that end in ㅆ, as the past does, and those that people type with ㅅ: 갓지, 햇냐.
_PAST = f"[{korean.ending_in('ㅆ')}앗엇엿햇됏갓왓봣댓랫졋낫]"
_RECALLING = re.compile(
    rf"{_WHICH}.*(?:지|죠|더라|던가|{_PAST}(?:냐|니|나|어)|[다라]고?(?:그{_PAST}|대))(?:요)?{_END}"
    rf"|{_PAST}(?:게|던가|잖아)(?:요)?{_END}"
)
_ASKS = re.compile(rf"[?？]|{_WHICH}\S*(?:지|죠|냐|니|나|까|야|해|돼)(?:요)?{_END}")
_OWN = re.compile(
    r"(?:^|\s)(?:나|저)(?:는|도|를|한테|랑|보고|만)?(?=\s)"
    r"|(?:^|\s)(?:내(?![일년려리용내])|제가|제(?=\s)|우리|울(?=[가-힣]))"
    r"|\b(?:my|mine|our|ours|i|me|we|us)\b|私|僕|俺|うちの"
)
# "What shall we eat?" asks for a plan, "let me know?" for a favour.
_PROPOSES = re.compile(
    rf"[가-힣](?:까|까요|래|래요|줘|자){_END}"
    r"|\b(?:shall|should|can|could|will|would|may|let)\b|(?:よう|ましょう|ません)か?[?？]?$"
)


def asks_about_the_past(message: str) -> bool:
    """Whether any sentence asks for what was, or for what its user once told."""
    return any(map(_asks, _SENTENCE.findall(korean.normalise(message))))


def _asks(sentence: str) -> bool:
    said = sentence.strip()[-_READ:]
    if _REMINDS.search(said) or _RECALLING.search(said):
        return True
    return bool(_ASKS.search(said) and _OWN.search(said) and not _PROPOSES.search(said))
