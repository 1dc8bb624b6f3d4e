"""Whether a user's message states something that memory should not wait for.

A decision, a promise, or a wish for all times to come. Patterns over sentences, no dictionary: what
they miss is remembered a little later with its window, what they find too much costs one call.
"""

import re
from typing import Literal

from gieok.language import korean

Statement = Literal["decision", "promise", "preference"]

_SENTENCES = re.compile(r"(?<=[.!?。!?\n])\s*")

_READ = 200
"""Characters of a sentence that are read at its beginning and as many at its end: the patterns look
ahead, and a wall of text would cost its square."""
_RIEUL = korean.ending_in("ㄹ")
"""Before 게, what the speaker is going to do."""

_DECISIONS = re.compile(
    r"(?:으로|로)\s?(?:하자|가자|정하자|할게|정했|결정(?!\s?(?:못|안|하기\s?전))|확정)"
    r"|기로\s?(?:했(?!었)|하자|정했|결정했|약속했)"
    r"|\blet'?s\s(?:go\s+with|stick\s+(?:with|to)|settle\s+on|make\s+it|call\s+it|use)\b"
    r"|\b(?:i|we)(?:'ve|\s+have)?\s+(?:finally\s+)?(?:decided|settled|agreed)\s+(?:to|on|that)\b"
    r"|(?:に|こと)に?(?:しよう(?!か)|決めた(?!い)|決めました|決定)"
    r"|ことに(?:した|しました)"
)
_PROMISES = re.compile(
    r"약속할게|약속해\s?줘|맹세(?:할게|해)"
    rf"|(?:꼭|반드시|무슨\s?일이\s?있어도)\s[^.!?]*[{_RIEUL}]게(?:요|용)?(?![가-힣])"
    r"|\bi\s+(?:promise|swear)\b|\bpromise\s+me\b"
    r"|約束(?:する|します|して(?:ね|ください|よ|$))"
)
_FOR_ALL_TIMES = re.compile(
    r"(?<![가-힣])(?:항상|언제나|늘|매번|절대로?|다시는"
    r"|(?:이제|지금|다음|오늘)부터(?:는|라도)?"
    r"|앞으로(?:는|도)?(?!\s*(?:조금|좀|더|한\s*걸음|쭉)?\s*(?:가|와|나와|나가|걸어|다가와)(?=\s|\b)))"
    r"(?![가-힣])"
    r"|これから(?:は|も|ずっと)?|今後|いつも|毎回|絶対|二度と"
)
_REQUEST = re.compile(
    r"(?:줘|주라|줄래|주세요|주실래요|다오)(?:요|용)?(?![가-힣])"
    r"|지\s?(?:마|말아|말고|마세요|마라)(?:요)?(?![가-힣])"
    r"|(?:불러|말해|대답해|얘기해|써|해라|하도록\s?해)(?:요)?(?![가-힣])"
    r"|(?:て|で)(?:ください|ね|よ|くれ(?!て|る|た)|ほしい|欲しい)?(?=[。!?、,.]|$)|ないで"
)
_ENGLISH_PREFERENCES = re.compile(
    r"(?:^|[.,;:!—-]\s*|\bplease\s+|\band\s+)(?:please\s+)?"
    r"(?:always(?!\s+(?:a|an|the|nice|good|great|been|so|is|was|happy|loved?)\b)"
    r"|(?:don'?t\s+ever|never(?!\s+(?:mind|been|seen|heard|had|thought|a|knew|again)\b)))\s+[a-z]+"
    r"|\bfrom\s+now\s+on\b"
)
_ASKS = re.compile(r"(?:까|나|니|냐|을까|ㄹ까|지)(?:요)?\s?\?|\?\s*$")
_UNDECIDED = re.compile(
    r"(?:안|못)\s?(?:했|정했|결정)|(?:지|하지)\s?(?:않|못)"
    r"|\b(?:haven'?t|not|never|can'?t|cannot|won'?t|don'?t)\s+(?:yet\s+)?(?:decided?|promise|settled?)\b"
)


def statement_in(text: str) -> Statement | None:
    """What the message states, the first that is found; None for small talk and questions.

    Korean, English and Japanese, in any mixture.
    """
    sentences = _SENTENCES.split(korean.normalise(text).replace("’", "'"))
    return next((kind for s in sentences if (kind := _statement(_ends_of(s.strip())))), None)


def _ends_of(sentence: str) -> str:
    if len(sentence) <= 2 * _READ:
        return sentence
    return f"{sentence[:_READ]} {sentence[-_READ:]}"


def _statement(sentence: str) -> Statement | None:
    if (_FOR_ALL_TIMES.search(sentence) and _REQUEST.search(sentence)) or (
        _ENGLISH_PREFERENCES.search(sentence)
    ):
        return "preference"
    if _ASKS.search(sentence) or _UNDECIDED.search(sentence):
        return None
    if _PROMISES.search(sentence):
        return "promise"
    return "decision" if _DECISIONS.search(sentence) else None
