"""Whose words a sentence holds, how polite its ending is, what it denies: grammar, no topics."""

import re
from collections.abc import Sequence

from gieok.language import korean
from gieok.providers.offline.cues import words
from gieok.providers.offline.marks import own_words, quotes_speech
from gieok.types import SpeechLevel

_CLEARLY = 0.8
"""The share of sentences, 0 to 1, that makes one of the two speech levels the user's level."""

_NIEUN, _RIEUL, _BIEUP, _SSANG_SIOT = map(korean.ending_in, "ㄴㄹㅂㅆ")
_REST = r"(?:\s?[^\w\s]|[\s_ㄱ-ㅣ])*$"
"""What may follow the last ending: punctuation, laughter, emoji."""
_PLAY = "요용욤욥염융"
"""요 and how people play with it."""
_YO = (
    rf"(?<![필담동강])[{_PLAY}]"  # 필요, 담요, 강요 are nouns
    r"|(?:[세하해어아에네데지게까돼봐줘와워려래죠구]|[었았했겠])여|[었았했겠졌렇맞좋하]져|[죠쥬쵸]"
)
_POLITE = re.compile(
    rf"(?:[{_BIEUP}](?:니|미)(?:다|까|당|닷|댱|돠|꽈|깡)[아앗]?|[슴습]니?[다당닷]|십시오|소서|{_YO}"
    rf"|^(?:네+|넵+|넹+|넴|넷|옙+|예+|눼|아뇨|[아어]?넵넵))\)?{_REST}"
)
"""An ending of 존댓말. 아니다 and -니까 of a reason have no ㅂ before them and are none."""
_HANGUL_END = re.compile(rf"[가-힣]\)?{_REST}")
_ADDRESS = re.compile(
    r"(?<=\S)[\s,]+(?:[가-힣]{1,8}(?:님|씨|쌤|선배|사장|언니|오빠|누나|형)|[가-힣]{1,4}(?:님"
    r"|씨)들?)"
    rf"{_REST}"
)
"""Somebody called at the end of a sentence: "안녕하세요 선생님"."""

_ASKED_PLAIN = re.compile(
    r"(?:말|반말)\s?(?:을\s?)?(?:좀\s?)?(?:놓(?:아|자|을|으)|놔|편하게\s?(?:해|하자|할))"
    r"|반말(?:로|을)?\s?(?:말\s?)?(?:\S+\s)?(?:해|하자|써|쓰자|하세요|쓰세요|부탁)"
    r"|존댓말\s?(?:\S+\s)?(?:하지|쓰지|그만|안\s?해도|안\s?써도)"
    r"|\b(?:speak|talk|be) (?:more )?(?:casual|informal)|タメ口(?:で|に|が)|敬語(?:は"
    r"|を)?\s?(?:やめ|なし|いらない)"
)
_ASKED_POLITE = re.compile(
    r"(?:존댓말|높임말|존대|경어)(?:로|을|를)?\s?(?:말\s?)?(?:\S+\s)?(?:해|하자|써|쓰자|하세요"
    r"|쓰세요|부탁)"
    r"|반말\s?(?:\S+\s)?(?:하지|쓰지|그만)|\b(?:speak|talk|be) (?:more )?(?:polite|formal)|敬語で"
)

_NO_HEARSAY = "(?<![군현반침상기시세무절최])"
"""Before 대 at the end of nouns: 군대, 침대, 절대."""
_HEARSAY = re.compile(
    rf"(?:{_NO_HEARSAY}[{_NIEUN}{_BIEUP}{_SSANG_SIOT}좋싫같많낫]대|[쁘프르크]대"
    r"|(?<![그저오원노빨미고모아본거몰술])래|[다라냐자]던데|[다라냐자]더라)(?:요|용|고)?" + _REST
)
"""-ㄴ대, -었대, -(이)래: the speaker has heard it."""
_REPORTS = re.compile(
    r"(?:[다라냐자][고구]|(?<=[\"”'’])라고|라며)\s?(?:\S+\s){0,2}?"
    r"(?:하더|했|하셨|하시|한다|해(?![줘주])|말했|말하|말씀|그러|그랬|그래|묻|물어|물었|들었"
    r"|부르|불러)"
    r"|[가-힣](?:랬|댔)(?:어|지|는데|다|음|거든|잖아)"
    r"|\b(?:says?|said|told me|thinks?|asked)\b|(?:って|と)(?:言|い)(?:って|った|う)|らしい"
    r"|そうだ(?:。|$)"
)
_WISHES = re.compile(rf"[{_RIEUL}]래(?:요|용)?{_REST}")
"""-ㄹ래 is what the speaker wants, and no hearsay."""
_I = words("나 나는 난 내가 나도 저 저는 전 제가 저도 우린 우리는 우리가 저희는 저희가 i we")
_SUBJECT = re.compile(r"^[가-힣A-Za-z]+(?:은|는|이|가|께서|께서는|들은|들이|도)$")
_OTHERS_EN = re.compile(
    r"\b(?:he|she|they|(?:[Mm]y|[Hh]is|[Hh]er|[Tt]heir|[Oo]ur|[Tt]he) \w+|(?!I\b)[A-Z]\w+) "
    r"(?:says?|said|told|thinks?|thought|asked|keeps? saying)\b",
)
_OTHERS_JA = re.compile(r"(?<![私僕俺])(?:[はがも])[^。]*(?:って|と)(?:言|い)(?:って|った|う)")


def is_reported(sentence: str) -> bool:
    """Whether a sentence tells what somebody else said, with or without quotation marks.

    It does by its grammar: a subject that is not the speaker, and a verb or an ending that reports.
    Hearsay ("간대") needs no subject.
    """
    if _OTHERS_EN.search(sentence) or _OTHERS_JA.search(sentence):
        return True
    hearsay = bool(_HEARSAY.search(sentence)) and not _WISHES.search(sentence)
    if not hearsay and not _REPORTS.search(sentence):
        return False
    subject = _first_subject(sentence)
    return subject not in _I if subject else hearsay and "?" not in sentence


def _first_subject(sentence: str) -> str:
    words = re.findall(r"[가-힣A-Za-z]+", sentence)
    return next((w for w in words if w in _I or _SUBJECT.match(w)), "")


def said_by_the_user(sentence: str) -> str:
    """What of a sentence the user says for themselves: nothing of a report, no quotations."""
    return "" if is_reported(sentence) else own_words(sentence)


_DENIED_AFTER = re.compile(
    r"^[가-힣]*(?:\s?(?:거|건|게|것|것은|거는|사람|일|적|마음))?(?:[은는도이가])?\s?(?:아니"
    r"|아냐|아닌|없)"
    r"|^[가-힣]*지(?:도|는|를)?\s?(?:않|못|마|말|안)|^[가-힣]*진\s?(?:않|못)"
    r"|^[가-힣]*(?:다고|라고|냐고|단|다는|란)[^.!?]*?(?:마(?![가-힣])|마요|마세요|말(?:아|자|라"
    r"|고(?![가-힣]))|않|못|안\s|아니)"
    r"|^긴(?![가-힣])|^[가-힣]*면(?:\s|$)|^[가-힣]*(?:냐|니|나요|까)?\s*\?"
)
_DENIED_BEFORE = re.compile(
    r"(?:(?<![가-힣])(?:안|못|별로|하나도|전혀|그다지)\s?|n't (?:\w+ )?|\b(?:not|never"
    r"|no longer) (?:\w+ )?)$",
    re.IGNORECASE,
)


def states(sentence: str, pattern: re.Pattern[str]) -> bool:
    """Whether the user says something for themselves: it is no quotation, no question, no
    condition, and nothing around it denies it."""
    own = said_by_the_user(sentence)
    return any(
        not _DENIED_AFTER.search(own[found.end() :])
        and not _DENIED_BEFORE.search(own[: found.start()])
        for found in pattern.finditer(own)
    )


def is_polite(sentence: str) -> bool:
    """Whether a Korean sentence ends in 존댓말, whoever is called at its end."""
    return bool(_POLITE.search(sentence) or _POLITE.search(_ADDRESS.sub("", sentence)))


def speech_level(said: Sequence[str]) -> SpeechLevel:
    """The level that was asked for last; else the one that clearly most Korean sentences end in, or
    a mixture; "" without any.

    What quotes somebody tells nothing of the speaker's own level.
    """
    if asked := last_asked(said):
        return asked
    own = [s for s in said if not quotes_speech(s)]
    polite = sum(map(is_polite, own))
    plain = sum(bool(_HANGUL_END.search(s)) and not is_polite(s) for s in own)
    if not polite + plain:
        return ""
    share = polite / (polite + plain)
    if share >= _CLEARLY:
        return "존댓말"
    return "반말" if share <= 1 - _CLEARLY else "섞어 씀"


def last_asked(said: Sequence[str]) -> SpeechLevel:
    """The level that the last of these sentences which asks for one asks for."""
    levels = [level for level in map(asked_level, said) if level]
    return levels[-1] if levels else ""


def asked_level(sentence: str) -> SpeechLevel:
    """The level that a sentence asks for; "" when it asks for none."""
    if is_reported(sentence):
        return ""
    if _ASKED_PLAIN.search(sentence):
        return "반말"
    return "존댓말" if _ASKED_POLITE.search(sentence) else ""


def shows_a_level(sentence: str) -> bool:
    """Whether a sentence says anything about a speech level: it has an ending, or asks for one."""
    return bool(asked_level(sentence) or _HANGUL_END.search(sentence))
