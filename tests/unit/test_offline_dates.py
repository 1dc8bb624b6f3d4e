"""Relative days, by grammar."""

from datetime import date

import pytest

from gieok.providers.offline.dates import relative_days

MONDAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("sentence", "word", "day"),
    [
        ("다다음 주 금요일에 봐", "다다음 주 금요일", date(2026, 12, 18)),
        ("다음 주 금요일에 봐", "다음 주 금요일", date(2026, 12, 11)),
        ("지지난 주 화요일이었어", "지지난 주 화요일", date(2026, 11, 17)),
        ("지난주 화요일이었어", "지난주 화요일", date(2026, 11, 24)),
        ("저저번 주 토욜에", "저저번 주 토욜", date(2026, 11, 21)),
        ("내일모레 시험이야", "내일모레", date(2026, 12, 2)),
        ("내일까지 해야 돼", "내일", date(2026, 12, 1)),
        ("그제 만났어", "그제", date(2026, 11, 28)),
        ("나 낼 면접이야", "낼", date(2026, 12, 1)),
        ("아 졸리다 낼 아침에 회의라", "낼", date(2026, 12, 1)),
        ("the Friday after next", "the Friday after next", date(2026, 12, 18)),
        ("see you next Friday", "next Friday", date(2026, 12, 11)),
        ("再来週の金曜に会う", "再来週の金曜", date(2026, 12, 18)),
    ],
)
def test_relative_days(sentence: str, word: str, day: date) -> None:
    assert list(relative_days(sentence, MONDAY)) == [(word, day)]


@pytest.mark.parametrize(
    "sentence",
    [
        "그제야 알았어",
        "그제서야 웃었다",
        "낼 돈이 없어",
        "등록금 낼 거야",
        "용기를 낼 수 있어",
        "힘낼게",
        "내일배움카드 만들었어",
        "모레알 같은 글씨",
    ],
)
def test_what_only_looks_like_a_day(sentence: str) -> None:
    assert list(relative_days(sentence, MONDAY)) == []
