"""Texts that share a room: how much each may take, and how one is shortened to that."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from gieok.prompt import tokens

_ELLIPSIS = "…"
# What goes on in small letters has not ended: “Really?” he asked.
_END = re.compile(r"""[.!?…]+["'”’)\]]*(?=\s+[^\sa-z]|\s*$)|[。！？]+["'”’)\]」』）]*""")


def shares(needs: Sequence[int], room: int) -> list[int]:
    """How much of the room each of several may take: what it needs, or the same as the others.

    What those of small needs leave over is shared by the rest alike, so that a long one takes no
    room from a short one. The sum is at most `room`, which is not negative.
    """
    granted, left = [0] * len(needs), room
    by_need = sorted(range(len(needs)), key=needs.__getitem__)
    for place, index in enumerate(by_need):
        granted[index] = min(needs[index], left // (len(needs) - place))
        left -= granted[index]
    return granted


def shortened(text: str, room: int) -> str:
    """The text in at most `room` tokens: as many of its first sentences as fit.

    Where not even the first one fits, it is cut within and ends in "…". "" when nothing fits.
    """
    if tokens.estimate(text) <= room:
        return text
    ends = [match.end() for match in _END.finditer(text)]
    whole = bisect_right(ends, room, key=lambda end: tokens.estimate(text[:end]))
    if whole:
        return text[: ends[whole - 1]]
    places = range(1, len(text) + 1)
    fitting = bisect_right(places, room, key=lambda end: tokens.estimate(text[:end] + _ELLIPSIS))
    return text[:fitting].rstrip() + _ELLIPSIS if fitting else ""
