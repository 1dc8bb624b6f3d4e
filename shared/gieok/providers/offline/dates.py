"""Relative days in a sentence, counted from the day it was written."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta

_DAYS: Mapping[str, int] = {
    **{
        "내일": 1,
        "낼": 1,
        "모레": 2,
        "글피": 3,
        "어제": -1,
        "그제": -2,
        "그저께": -2,
        "엊그제": -2,
    },
    **{"tomorrow": 1, "yesterday": -1, "the day after tomorrow": 2, "the day before yesterday": -2},
}
_WEEKS: Mapping[str, int] = {
    **{"지난주": -1, "저번주": -1, "이번주": 0, "다음주": 1, "담주": 1},
    **{"last": -1, "this": 0, "next": 1},
}
_WEEKDAYS: Mapping[str, int] = {
    **{day: i for i, day in enumerate("월화수목금토일")},
    **{"monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4},
    **{"saturday": 5, "sunday": 6},
}
_DAY = re.compile(
    r"(?<![가-힣])(?:엊그제|그저께|그제|어제|내일|낼|모레|글피)"
    r"|\b(?:the day after tomorrow|the day before yesterday|tomorrow|yesterday)\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"(?P<week>(?:지난|저번|이번|다음|담)\s?주)\s?(?P<day>[월화수목금토일])요일"
    r"|\b(?P<week_en>last|this|next) (?P<day_en>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)


def relative_days(sentence: str, written: date) -> Iterator[tuple[str, date]]:
    """Each relative day of a sentence, as it stands there, with its date.

    A week begins on Monday, and "next Friday" is the Friday of the next week.
    """
    for found in _DAY.finditer(sentence):
        yield found[0], written + timedelta(days=_DAYS[found[0].lower()])
    for found in _WEEKDAY.finditer(sentence):
        week = (found["week"] or found["week_en"]).lower().replace(" ", "")
        day = (found["day"] or found["day_en"]).lower()
        monday = written - timedelta(days=written.weekday())
        yield found[0], monday + timedelta(weeks=_WEEKS[week], days=_WEEKDAYS[day])


def spoken(day: date, language: str) -> str:
    """A date as people write it: "12월 1일", or "December 1"."""
    return f"{day.month}월 {day.day}일" if language == "ko" else f"{day:%B} {day.day}"
