"""Relative days in a sentence, counted from the day it was written."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta

from gieok.language import korean
from gieok.providers.offline.cues import STOPWORDS, VERB_ENDING

_DAYS: Mapping[str, int] = {
    **{"내일모레": 2, "낼모레": 2, "내일": 1, "낼": 1, "모레": 2, "글피": 3, "그글피": 4},
    **{"어제": -1, "엊그제": -2, "엊그저께": -2, "그제": -2, "그저께": -2, "그끄저께": -3},
    **{"tomorrow": 1, "yesterday": -1, "the day after tomorrow": 2, "the day before yesterday": -2},
    **{
        "明日": 1,
        "あした": 1,
        "明後日": 2,
        "あさって": 2,
        "昨日": -1,
        "一昨日": -2,
        "おととい": -2,
    },
}
_WEEKS_EN: Mapping[str, int] = {"last": -1, "this": 0, "next": 1}
_WEEKDAYS: Mapping[str, int] = {
    **{day: i for i, day in enumerate("월화수목금토일")},
    **{day: i for i, day in enumerate("月火水木金土日")},
    **{"monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4},
    **{"saturday": 5, "sunday": 6},
}
_LONGEST_FIRST = "|".join(sorted((d for d in _DAYS if "가" <= d[0] <= "힣"), key=len, reverse=True))
_DAY_KO = re.compile(rf"(?<![가-힣])(?P<day>{_LONGEST_FIRST})(?P<tail>[가-힣]*)(?P<rest>[^.!?\n]*)")
_DAY = re.compile(
    r"\b(?:the day after tomorrow|the day before yesterday|tomorrow|yesterday)\b"
    r"|明後日|明日|あした|あさって|一昨日|昨日|おととい",
    re.IGNORECASE,
)
_WEEKDAY_EN = r"(?P<day_en>(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_WEEKDAY = re.compile(
    r"(?<![가-힣])(?P<week>(?P<far>다*)(?:다음|담)|(?P<past>지*)지난|(?P<ago>저*)저번|이번"
    r"|금)\s?주\s?"
    r"(?P<day>[월화수목금토일])(?:요일|욜)"
    rf"|\b(?P<week_en>last|this|next) {_WEEKDAY_EN}\b(?! (?:after next|before last))"
    rf"|(?P<week_ja>再来週|来週|今週|先々週|先週)の?(?P<day_ja>[月火水木金土日])曜",
    re.IGNORECASE,
)
_FAR_EN = re.compile(
    rf"\b(?:the )?{_WEEKDAY_EN} (?:of the week )?(?P<which>after next|before last)\b", re.IGNORECASE
)
_WEEKS_JA: Mapping[str, int] = {"再来週": 2, "来週": 1, "今週": 0, "先週": -1, "先々週": -2}
_TIMES = ("아침", "점심", "저녁", "밤", "새벽", "낮", "오전", "오후", "쯤", "하루", "날", "자")
"""Nouns that are written together with a day: "내일아침"."""
_THEN = ("야", "서야", "서")
"""그제야 and 그제서야 are "only then"."""
_BOUND_NOUN = re.compile(
    r"^\s(?:거|것|게|걸|건|꺼|수|때|돈|만|줄|지|듯|뿐|테|텐|예정|계획|생각|필요|차례|사람|힘"
    r"|시간|엄두|용기)"
)
"""What follows 낼 where it is a form of 내다: "낼 돈"."""


def relative_days(sentence: str, written: date) -> Iterator[tuple[str, date]]:
    """Each relative day of a sentence, as it stands there, with its date.

    A week begins on Monday, and "next Friday" is the Friday of the next week.
    """
    for word in (*_korean_days(sentence), *_DAY.findall(sentence)):
        yield word, written + timedelta(days=_DAYS[word.lower()])
    for found in _FAR_EN.finditer(sentence):
        weeks = 2 if "after" in found["which"].lower() else -2
        yield found[0], _day_of(written, weeks, found["day_en"])
    for found in _WEEKDAY.finditer(sentence):
        day = found["day"] or found["day_en"] or found["day_ja"]
        yield found[0], _day_of(written, _weeks(found), day)


def _korean_days(sentence: str) -> Iterator[str]:
    start = 0
    while found := _DAY_KO.search(sentence, start):
        start = found.end("tail")
        day, tail = found["day"], found["tail"]
        if _is_day(day, tail) and not (day == "낼" and _is_verb(sentence, found)):
            yield day


def _is_day(day: str, tail: str) -> bool:
    """Whether what is written together with a day is a particle or a time of day."""
    if day in ("그제", "엊그제") and tail in _THEN:
        return False
    return not tail or tail.startswith(_TIMES) or day in korean.candidates(day + tail)


def _is_verb(sentence: str, found: re.Match[str]) -> bool:
    """Whether 낼 is a form of 내다 (pay, make): a noun that it refers to follows, or what is paid
    stands before it."""
    if not found["tail"] and _BOUND_NOUN.match(found["rest"]):
        return True
    before = sentence[: found.start()]
    word = re.search(r"([가-힣]+)\s+$", before)
    if not word:
        return False
    bare = korean.strip_particles(word[1])
    return not ({word[1], bare} & STOPWORDS or VERB_ENDING.search(word[1]))


def _weeks(found: re.Match[str]) -> int:
    if found["week_en"]:
        return _WEEKS_EN[found["week_en"].lower()]
    if found["week_ja"]:
        return _WEEKS_JA[found["week_ja"]]
    if found["far"] is not None:
        return 1 + len(found["far"])
    behind = found["past"] if found["past"] is not None else found["ago"]
    return 0 if behind is None else -1 - len(behind)


def _day_of(written: date, weeks: int, day: str) -> date:
    monday = written - timedelta(days=written.weekday())
    return monday + timedelta(weeks=weeks, days=_WEEKDAYS[day.lower()])


def spoken(day: date, language: str) -> str:
    """A date as people write it: "12월 1일", "12月1日" or "December 1"."""
    if language == "ja":
        return f"{day.month}月{day.day}日"
    return f"{day.month}월 {day.day}일" if language == "ko" else f"{day:%B} {day.day}"
