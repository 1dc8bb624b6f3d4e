"""How long ago something was, as people say it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from gieok.errors import BadRequest
from gieok.prompt.relative_time import ago, days, zone
from gieok.types import Locale

SEOUL = ZoneInfo("Asia/Seoul")
NOW = datetime(2026, 11, 30, 15, 20, tzinfo=SEOUL)


@pytest.mark.parametrize(
    ("then", "ko", "en", "ja"),
    [
        (timedelta(seconds=59), "방금", "just now", "たった今"),
        (timedelta(minutes=1), "1분 전", "1 minute ago", "1分前"),
        (timedelta(minutes=59), "59분 전", "59 minutes ago", "59分前"),
        (timedelta(hours=1), "1시간 전", "1 hour ago", "1時間前"),
        (timedelta(hours=15), "15시간 전", "15 hours ago", "15時間前"),
        (timedelta(hours=16), "어제", "yesterday", "昨日"),
        (timedelta(days=3), "3일 전", "3 days ago", "3日前"),
        (timedelta(days=6), "6일 전", "6 days ago", "6日前"),
        (timedelta(days=7), "1주 전", "1 week ago", "1週間前"),
        (timedelta(days=14), "2주 전", "2 weeks ago", "2週間前"),
        (timedelta(days=29), "4주 전", "4 weeks ago", "4週間前"),
        (timedelta(days=30), "4주 전", "4 weeks ago", "4週間前"),
        (timedelta(days=31), "1개월 전", "1 month ago", "1か月前"),
        (timedelta(days=364), "11개월 전", "11 months ago", "11か月前"),
        (timedelta(days=365), "1년 전", "1 year ago", "1年前"),
        (timedelta(days=800), "2년 전", "2 years ago", "2年前"),
    ],
)
def test_each_distance_is_said_as_a_native_says_it(
    then: timedelta, ko: str, en: str, ja: str
) -> None:
    locales: tuple[Locale, ...] = ("ko", "en", "ja")
    assert [ago(NOW - then, NOW, SEOUL, locale) for locale in locales] == [ko, en, ja]


def test_days_are_counted_in_the_users_zone_and_not_in_utc() -> None:
    """23:00 and 09:00 in Seoul are one date in UTC and two dates for the user."""
    then = datetime(2026, 11, 29, 14, 0, tzinfo=UTC)
    now = datetime(2026, 11, 30, 0, 0, tzinfo=UTC)
    assert ago(then, now, SEOUL, "ko") == "어제"
    assert ago(then, now, ZoneInfo("America/New_York"), "ko") == "10시간 전"


def test_late_evening_is_hours_ago_after_midnight() -> None:
    now = datetime(2026, 11, 30, 1, 0, tzinfo=SEOUL)
    assert ago(now - timedelta(hours=3), now, SEOUL, "ko") == "3시간 전"


def test_a_time_in_the_future_is_just_now() -> None:
    assert ago(NOW + timedelta(hours=5), NOW, SEOUL, "ko") == "방금"


@pytest.mark.parametrize(
    ("first", "last", "ko", "en", "ja"),
    [
        ("2026-11-27", "2026-11-27", "11월 27일", "27 November", "11月27日"),
        ("2026-11-27", "2026-11-28", "11월 27일–28일", "27–28 November", "11月27日〜28日"),
        (
            "2026-10-30",
            "2026-11-02",
            "10월 30일–11월 2일",
            "30 October–2 November",
            "10月30日〜11月2日",
        ),
        (
            "2025-11-27",
            "2025-11-28",
            "2025년 11월 27일–28일",
            "27–28 November 2025",
            "2025年11月27日〜28日",
        ),
        (
            "2025-12-30",
            "2026-12-02",
            "2025년 12월 30일–2026년 12월 2일",
            "30 December 2025–2 December 2026",
            "2025年12月30日〜2026年12月2日",
        ),
        ("2026-11-28", "2026-11-27", "11월 27일", "27 November", "11月27日"),
    ],
)
def test_days_are_written_as_a_native_writes_them_with_the_year_where_it_is_not_this_one(
    first: str, last: str, ko: str, en: str, ja: str
) -> None:
    locales: tuple[Locale, ...] = ("ko", "en", "ja")
    begin, end = (datetime.fromisoformat(f"{day}T12:00:00+09:00") for day in (first, last))
    assert [days(begin, end, NOW, SEOUL, locale) for locale in locales] == [ko, en, ja]


def test_the_days_are_those_of_the_users_zone() -> None:
    late = datetime(2026, 11, 27, 16, 0, tzinfo=UTC)
    assert days(late, late, NOW, SEOUL, "ko") == "11월 28일"
    assert days(late, late, NOW, ZoneInfo("America/New_York"), "ko") == "11월 27일"


@pytest.mark.parametrize("name", ["", "Mars/Base", "../etc/passwd", "Asia", "a\0b", "x" * 5000])
def test_a_zone_that_does_not_exist_is_a_bad_request_that_does_not_repeat_it(name: str) -> None:
    with pytest.raises(BadRequest) as caught:
        zone(name)
    assert str(caught.value) == "timeZone: not an IANA time zone"
