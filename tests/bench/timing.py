"""Times of alternating runs, so that what disturbs the machine disturbs all of them alike."""

import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from statistics import median, quantiles

Way = Callable[[int], Awaitable[None]]
"""One way to do a thing, given the number of the try."""

RUN = 10
"""Tries of one way before the next has its turn: each finds the caches as it left them itself."""


async def alternate(ways: Mapping[str, Way], tries: int, warm: int) -> dict[str, list[float]]:
    """Seconds of each way at each try, in runs that take turns; the first `warm` don't count."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    dice, order = random.Random(1), list(ways)
    for first in range(0, warm + tries, RUN):
        dice.shuffle(order)
        for name in order:
            for number in range(first, min(first + RUN, warm + tries)):
                started = time.perf_counter()
                await ways[name](number)
                seconds[name].append(time.perf_counter() - started)
    return {name: taken[warm:] for name, taken in seconds.items()}


def p50_ms(seconds: Sequence[float]) -> float:
    """The median, in milliseconds."""
    return round(median(seconds) * 1000, 3)


def p99_ms(seconds: Sequence[float]) -> float:
    """What 99 of 100 stay under, in milliseconds."""
    return round(quantiles(seconds, n=100, method="inclusive")[-1] * 1000, 3)
