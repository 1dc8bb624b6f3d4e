"""Whether words speak of somebody else than the one who says them; by words, not by grammar.

Kinship, acquaintance, he, she and they as the subject, and no "I" beside it. It misses people it
has no word for: those whom the caller can name it is given. Texts are in `korean.normalise`'s form.
"""

import re
from collections.abc import Iterable

from gieok.language.clauses import ADNOMINAL

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
_TAIL = (
    r"(?:님|들|네|이)*"
    r"(?:은|는|이|가|를|을|의|와|과|랑|도|만|에게|한테|께서?|보다|이?[야라인]|처럼|하고)*"
)
"""What may hang on to a word for a person: "형님이랑", not "형사"."""
# Case is a matter of English alone: over Hangul's range it takes 6 ms to compile.
_PERSON = re.compile(rf"(?:{_KO}){_TAIL}(?![가-힣])|\b(?i:{_EN})(?:s|'s)?\b|{_JA}")
_SUBJECT = re.compile(
    rf"(?<![가-힣])(?:{_KO})님?들?(?:\s[가-힣]{{1,4}}?)?(?:은|는|이|가|께서|도)(?![가-힣])"
    # "엄마 환갑이라", "우리 형 웃겨", and behind "우리 사촌오빠야" what follows is of him.
    rf"|^\W*(?:우리\s|내\s)?(?:{_KO})님?(?=\s)|(?:{_KO})이?(?:야|인데|거든)$"
    rf"|(?<![가-힣])(?:{_KO})님?(?=\s[가-힣]+(?:이라|라서|[이가-힣]야|인데|[이예]에?요)$)"
    r"|(?<![가-힣])(?:걔|쟤|얘|그\s?애)네?(?:가|는|도)(?=\s)|(?<![가-힣])걘(?=\s)"
    # "talked to my dad" is not about him.
    rf"|(?<!\bto )(?<!\bwith )(?<!\bfrom )(?<!\babout )(?:^\W*|\b(?i:my) (?:\w+ )?)(?i:{_EN})s?\b"
    rf"|\b(?:he|she|they)\b|(?:彼|{_JA})(?:の\w{{1,8}})?[はがも]"
)
_FIRST_PERSON = re.compile(
    rf"(?:^|[\s,])(?:나|저(?!\s?(?:{_KO}))|난|전(?!\s?(?:남|여|애인|직장|회사))|날|내가|제가|우리(?=[가-힣]))"
    r"(?:는|도|를|한테|에게|보고|랑|만|가)?(?=[\s,.!?~…]|$)"
    r"|\b(?i:i|me|my|we|us|our)\b|私|僕|俺|わたし|ぼく|おれ"
)
_PARTICLE = r"(?:이|님|씨)?(?:은|는|이|가|께서|도|인데|は|が|も| is| was| has| had|'s)"
_DESCRIBING = re.compile(rf"\s\S*{ADNOMINAL}\s(?!(?:거|것|건|게)\b)\S")
"""A verb behind a subject that only describes a noun: "걔가 준 목도리"."""


def about_another(words: str, names: Iterable[str] = ()) -> bool:
    """Whether the one whom a clause is about is not its speaker."""
    named = "|".join(re.escape(name) + _PARTICLE for name in names if name)
    subjects = [*_SUBJECT.finditer(words), *(re.finditer(named, words) if named else ())]
    return any(
        not any(own.start() < m.start() or own.start() >= m.end() for own in speaking)
        and not _DESCRIBING.match(words, m.end())
        for speaking in [[*_FIRST_PERSON.finditer(words)]]
        for m in subjects
    )


def about_speaker(words: str) -> bool:
    """Whether a clause has an "I" in it."""
    return bool(_FIRST_PERSON.search(words))


def has_subject(words: str) -> bool:
    """Whether a clause says whom it is about, be it the speaker or another."""
    return about_speaker(words) or bool(_SUBJECT.search(words))


def mentions_another(text: str, names: Iterable[str] = ()) -> bool:
    """Whether a text names somebody, by a word for a person or by one of the names."""
    return bool(_PERSON.search(text)) or any(name in text for name in names)


def is_person_word(word: str) -> bool:
    """Whether a word is one for a person, and nothing more: "친구", "mother"."""
    return bool(_PERSON.fullmatch(word))
