"""Whether a sentence speaks of somebody else than the one who says it; by words, not by grammar.

Kinship and acquaintance as the subject, and no "I" beside it. It misses people it has no word for:
those whom the caller can name it is given.
"""

import re
from collections.abc import Iterable

_KO = (
    "친구|엄마|어머니|어머님|아빠|아버지|아버님|부모님|언니|오빠|누나|형|동생|할머니|할아버지|이모|고모"
    "|삼촌|사촌|조카|남편|아내|와이프|남자\\s?친구|여자\\s?친구|남친|여친|애인|아들|딸|팀장|부장|사장|상사"
    "|선배|후배|동료|룸메이트|룸메|짝꿍|선생님|교수님"
)
_EN = (
    "friend|mother|mom|mum|father|dad|parents|sister|brother|grandmother|grandma"
    "|grandfather|grandpa|aunt|uncle|cousin|nephew|niece|husband|wife|boyfriend|girlfriend|partner"
    "|son|daughter|boss|manager|colleague|coworker|roommate|neighbour|neighbor|teacher|professor"
)
_JA = (
    "友達|友人|母|お母さん|ママ|父|お父さん|パパ|両親|姉|お姉ちゃん|兄|お兄ちゃん|妹|弟|祖母|おばあちゃん"
    "|祖父|おじいちゃん|叔母|叔父|いとこ|夫|旦那|妻|嫁|彼氏|彼女|息子|娘|上司|部長|課長|先輩|後輩|同僚|先生"
)
# Case is a matter of English alone: over Hangul's range it takes 6 ms to compile.
_PERSON = re.compile(rf"{_KO}|\b(?i:{_EN})\b|{_JA}")
_SUBJECT = re.compile(
    rf"(?<![가-힣])(?P<ko>{_KO})님?들?(?:\s[가-힣]{{1,4}}?)?(?:은|는|이|가|께서|도)(?![가-힣])"
    # "talked to my dad" is not about him.
    rf"|(?<!\bto )(?<!\bwith )(?<!\bfrom )(?<!\babout )\b(?i:my (?:\w+ )?(?P<en>{_EN})s?)\b"
    rf"|(?P<ja>{_JA})(?:の\w{{1,8}})?[はがも]"
)
_FIRST_PERSON = re.compile(
    rf"(?:^|[\s,])(?:나|저(?!\s?(?:{_KO}))|난|전(?!\s?(?:남|여|애인|직장|회사))|날|내가|제가|우리(?=[가-힣]))"
    r"(?:는|도|를|한테|에게|보고|랑|만|가)?(?=[\s,.!?~…]|$)"
    r"|\b(?:I|me|we|us)\b|私|僕|俺|わたし|ぼく|おれ"
)
_PARTICLE = r"(?:이|님|씨)?(?:은|는|이|가|께서|도|は|が|も| is| was| has| had|'s)"


def about_another(sentence: str, names: Iterable[str] = ()) -> str:
    """The word for the person a sentence is about, when that is not the speaker; else ""."""
    if _FIRST_PERSON.search(sentence):
        return ""
    found = _SUBJECT.search(sentence)
    if found:
        return found["ko"] or found["en"] or found["ja"]
    named = (n for n in names if re.search(re.escape(n) + _PARTICLE, sentence))
    return next(named, "")


def mentions_another(text: str, names: Iterable[str] = ()) -> bool:
    """Whether a text names somebody, by a word for a person or by one of the names."""
    return bool(_PERSON.search(text)) or any(name in text for name in names)


def is_person_word(word: str) -> bool:
    """Whether a word is one for a person, and nothing more: "친구", "mother"."""
    return bool(_PERSON.fullmatch(word))
