"""How long ago something was, as people say it, in the user's time zone."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from gieok.errors import BadRequest
from gieok.types import Locale

_MINUTE, _HOUR = 60, 3600
"""Seconds of a minute and of an hour."""
_STILL_TODAY_HOURS = 6
"""Hours for which what was before midnight is told in hours, and not as "yesterday"."""


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


def zone(name: str) -> ZoneInfo:
    """The time zone of an IANA name. Raises `BadRequest` for any other text."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise BadRequest("timeZone: not an IANA time zone") from None


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


def _say(form: str, count: int) -> str:
    return form.format(count).replace("(s)", "" if count == 1 else "s")
