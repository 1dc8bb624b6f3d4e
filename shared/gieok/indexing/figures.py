"""Numbers, amounts, dates and times: one piece for all the ways to write the same.

These are a few rules and not a parser. What they miss is still found by its words as they stand.
"""

import re
from collections.abc import Callable, Iterable
from decimal import Decimal

from gieok.language.korean import normalise

_SHORTEST, _LONGEST = 3, 15
"""How many digits an amount has: shorter numbers are in too many memories to tell anything, and
longer ones are no amounts."""

_TELEPHONE = 8
"""How many digits numbers that are tied by hyphens have together, at least, to be read as one:
"1588-1234" is one number, "302-1502" is not."""

_DIGITS = {spelt: digit for digit, spelt in enumerate("일이삼사오육칠팔구", 1)}
_UNITS = {"십": 10, "백": 100, "천": 1_000}
_MYRIADS = {"만": 10_000, "억": 100_000_000}

_FIGURE = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+\.\d+|\d+)"
_UNIT = "[십백천만억]"
_UNITS_OF = f"{_UNIT}{{1,3}}"
_MOST_PARTS = 6
"""Parts behind the first one of an amount, at most: 1억 2천만 3백만 4천 has three."""
_SPELT = f"[일이삼사오육칠팔구십백천만억]{{0,{_LONGEST}}}{_UNIT}"
_PART = re.compile(rf"{_FIGURE}|[일이삼사오육칠팔구]|{_UNIT}")
_AMOUNTS = (
    # 30,000 and 3만; 1억 2천만 and 1만 8400, but "3만 12월" is no 30,012. No years: "2005년" is a
    # word already, and 2005 beside it cost KorQuAD as many questions as it gained.
    rf"(?<![\d.,]){_FIGURE}(?:{_UNITS_OF}(?: ?{_FIGURE}{_UNITS_OF}){{0,{_MOST_PARTS}}}"
    r"(?: ?\d{3,4})?)?(?![.,]?\d|년)",
    # 삼만 오천 원: without digits nothing but money is sure to be a number ("이사", "만두").
    rf"(?<![가-힣]){_SPELT}(?: {_SPELT}){{0,{_MOST_PARTS}}}(?= ?원)",
)
_DATES = (
    r"(?<!\d)(?:(?P<year>\d{4})년 ?)?(?P<month>\d{1,2})월 ?(?P<day>\d{1,2})일",
    r"(?<!\d)(?P<year>\d{4})([-./]) ?(?P<month>\d{1,2})\2 ?(?P<day>\d{1,2})(?!\d)",
    r"(?<![\d/.])(?P<year>)(?P<month>\d{1,2})/(?P<day>\d{1,2})(?![\d/])",
)
_TIMES = (
    r"(?<!\d)(?P<hour>\d{1,2})시(?!간)(?: ?(?:(?P<minute>\d{1,2})분|(?P<half>반)))?",
    r"(?<![\d:])(?P<hour>\d{1,2}):(?P<minute>[0-5]\d)(?P<half>)(?![\d:])",
)
_TELEPHONES = (r"(?<!\d)(?:\d{2,6}(?:-\d{3,6})+|0\d{1,2}([ .])\d{3,4}\1\d{4})(?!\d)",)


def figures(text: str) -> list[str]:
    """What every way to write an amount, date, time or telephone number of a text comes down to.

    "3만 원" and "삼만원" give 30000; "2026-12-25" and "12/25" give 12월25일 with its month and day;
    "15:30" and "오후 3시 반" give 3시30분 with its hour, since people count hours to twelve;
    "010-1234-5678" gives its digits. At most four for each.
    """
    plain = normalise(text)
    return [
        figure
        for patterns, read in _READERS
        for pattern in patterns
        for match in pattern.finditer(plain)
        for figure in read(match)
    ]


def _amount(match: re.Match[str]) -> list[str]:
    numeral = match[0].replace(",", "")
    value = numeral if numeral.isdecimal() else _sum(_PART.findall(numeral))
    return [value] if value.isdecimal() and _SHORTEST <= len(value) <= _LONGEST else []


def _sum(parts: Iterable[str]) -> str:
    """The number in digits: each unit multiplies the figure before it, and 만 and 억 multiply all
    that went before."""
    total = below_myriad = figure = Decimal(0)
    for part in parts:
        if part in _UNITS:
            below_myriad, figure = below_myriad + (figure or 1) * _UNITS[part], Decimal(0)
        elif part in _MYRIADS:
            total += (below_myriad + figure or 1) * _MYRIADS[part]
            below_myriad = figure = Decimal(0)
        else:
            figure = Decimal(_DIGITS.get(part, part))
    return f"{(total + below_myriad + figure).normalize():f}"


def _date(match: re.Match[str]) -> list[str]:
    month, day = int(match["month"]), int(match["day"])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return []
    year = [f"{match['year']}년"] if match["year"] else []
    return [f"{month}월{day}일", f"{month}월", f"{day}일", *year]


def _time(match: re.Match[str]) -> list[str]:
    hour, minute = int(match["hour"]), 30 if match["half"] else int(match["minute"] or 0)
    if hour > 23:
        return []
    told = (hour - 1) % 12 + 1
    exact = [f"{told}시{minute}분"] if minute else []
    return [f"{hour}시", f"{told}시", *exact]


def _telephone(match: re.Match[str]) -> list[str]:
    digits = "".join(filter(str.isdecimal, match[0]))
    return [digits] if len(digits) >= _TELEPHONE else []


_READERS: tuple[tuple[list[re.Pattern[str]], Callable[[re.Match[str]], list[str]]], ...] = (
    (list(map(re.compile, _AMOUNTS)), _amount),
    (list(map(re.compile, _DATES)), _date),
    (list(map(re.compile, _TIMES)), _time),
    (list(map(re.compile, _TELEPHONES)), _telephone),
)
