"""How long ago something was, and on which days, as people say it in the user's time zone."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from gieok.errors import BadRequest
from gieok.types import Locale

_MINUTE, _HOUR = 60, 3600
"""Seconds of a minute and of an hour."""
_STILL_TODAY_HOURS = 6
"""Hours for which what was before midnight is told in hours, and not as "yesterday"."""
_NO_PLACES = frozenset(("localtime", "posixrules", "Factory", "posix", "right"))
"""Names that a zone database has beside the IANA's: the machine's own zone, a rule, copies."""


@dataclass(frozen=True, slots=True)
class _Words:
    just_now: str
    minutes: str
    hours: str
    yesterday: str
    days: str
    weeks: str
    months: str
    years: str


# English plurals: "(s)" is read as nothing for one and as "s" for more.
_WORDS: Mapping[Locale, _Words] = {
    "ko": _Words(
        "방금", "{}분 전", "{}시간 전", "어제", "{}일 전", "{}주 전", "{}개월 전", "{}년 전"
    ),
    "en": _Words(
        "just now",
        "{} minute(s) ago",
        "{} hour(s) ago",
        "yesterday",
        "{} day(s) ago",
        "{} week(s) ago",
        "{} month(s) ago",
        "{} year(s) ago",
    ),
    "ja": _Words(
        "たった今", "{}分前", "{}時間前", "昨日", "{}日前", "{}週間前", "{}か月前", "{}年前"
    ),
}

# Year, month, day, and what stands between two days.
_YEAR_FIRST: Mapping[Locale, tuple[str, str, str, str]] = {
    "ko": ("{}년 ", "{}월 ", "{}일", "–"),
    "ja": ("{}年", "{}月", "{}日", "〜"),
}
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def zone(name: str) -> ZoneInfo:
    """The time zone of an IANA name. Raises `BadRequest` for any other text."""
    found = None
    if name.partition("/")[0] not in _NO_PLACES:
        with suppress(KeyError, ValueError, OSError):
            found = ZoneInfo(name)
    if found is None:
        raise BadRequest("timeZone: not an IANA time zone")
    return found


def ago(then: datetime, now: datetime, where: ZoneInfo, locale: Locale) -> str:
    """How long before `now` it was: minutes and hours within the day, then calendar days.

    A time in the future (clocks differ) is "just now".
    """
    words = _WORDS[locale]
    seconds = int((now - then).total_seconds())
    then, now = then.astimezone(where), now.astimezone(where)
    days = (now.date() - then.date()).days
    if seconds < _MINUTE:
        return words.just_now
    if seconds < _HOUR:
        return _say(words.minutes, seconds // _MINUTE)
    if days == 0 or seconds < _STILL_TODAY_HOURS * _HOUR:
        return _say(words.hours, seconds // _HOUR)
    return words.yesterday if days == 1 else _days_ago(then, now, words)


def _days_ago(then: datetime, now: datetime, words: _Words) -> str:
    days = (now.date() - then.date()).days
    months = (now.year - then.year) * 12 + now.month - then.month - (now.day < then.day)
    if months >= 12:
        return _say(words.years, months // 12)
    if months >= 1 and days >= 30:
        return _say(words.months, months)
    return _say(words.days, days) if days < 7 else _say(words.weeks, days // 7)


def days(first: datetime, last: datetime, now: datetime, where: ZoneInfo, locale: Locale) -> str:
    """The days from `first` to `last`, one where both are on it: "11월 27일–28일".

    The year is said where it is not this one, and where the two days differ in it.
    """
    end, today = last.astimezone(where).date(), now.astimezone(where).date()
    begin = min(first.astimezone(where).date(), end)
    if locale in _YEAR_FIRST:
        return _year_first(begin, end, today.year, _YEAR_FIRST[locale])
    return _day_first(begin, end, today.year)


def _year_first(begin: date, end: date, this_year: int, forms: tuple[str, str, str, str]) -> str:
    year, month, day, to = forms
    said = year.format(begin.year) if begin.year != this_year else ""
    said += month.format(begin.month) + day.format(begin.day)
    if begin == end:
        return said
    said += to + (year.format(end.year) if end.year != begin.year else "")
    said += month.format(end.month) if end.replace(day=1) != begin.replace(day=1) else ""
    return said + day.format(end.day)


def _day_first(begin: date, end: date, this_year: int) -> str:
    years_differ = begin.year != end.year
    said = f"{end.day} {_MONTHS[end.month - 1]}"
    said += f" {end.year}" if end.year != this_year or years_differ else ""
    if begin == end:
        return said
    before = str(begin.day)
    before += f" {_MONTHS[begin.month - 1]}" if (begin.month != end.month or years_differ) else ""
    before += f" {begin.year}" if years_differ else ""
    return f"{before}–{said}"


def _say(form: str, count: int) -> str:
    return form.format(count).replace("(s)", "" if count == 1 else "s")
