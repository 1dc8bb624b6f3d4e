"""What bulk memories are made of: made-up Korean words, texts, vectors.

Deterministic, so that figures of two runs are about the same rows.
"""

import random
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from gieok.calls import Vector
from gieok.indexing.content import Content
from gieok.types import KeyDetail

Halves = npt.NDArray[np.float16]

WIDTH = 768
MODEL = "test-1"
WORDS = 3_000
SAMPLES = 12_000
"""More than the memories of any pair, so that none says what another one says."""
TERMS, RELATED, ALLUSIONS = 14, 16, 6
"""Of one memory: terms of one or two words each, related words, allusions. With the words of the
summary they are about 180 digests, as many as a Korean window of real length has."""
DETAILS = 4
"""Of one memory, on average as a language model answers for real windows."""

_SYLLABLES = [
    chr(0xAC00 + (initial * 21 + vowel) * 28 + final)
    for initial in range(19)
    for vowel in (0, 4, 8, 13, 20)
    for final in (0, 1, 4, 8, 16, 21)
]
_SHARES = list(accumulate(1 / (rank + 6) for rank in range(WORDS)))


@dataclass(frozen=True, slots=True)
class Sample:
    """A memory before any key: what the extraction would have left of a window."""

    content: Content
    details: tuple[KeyDetail, ...]
    importance: int


@cache
def vocabulary() -> tuple[str, ...]:
    """Words of two to four syllables, the commonest first."""
    dice = random.Random(1)
    lengths = dice.choices((2, 2, 3, 3, 4), k=WORDS)
    return tuple("".join(dice.choices(_SYLLABLES, k=length)) for length in lengths)


def some_words(dice: random.Random, count: int) -> list[str]:
    """Drawn as people speak: by Zipf's law, so that the commonest is in a third of all memories."""
    return dice.choices(vocabulary(), cum_weights=_SHARES, k=count)


@cache
def sample(number: int) -> Sample:
    """The contents that memories take in turn."""
    dice = random.Random(number)

    def text(count: int) -> str:
        return " ".join(some_words(dice, count))

    terms = tuple(text(dice.choice((1, 1, 2))) for _ in range(TERMS))
    return Sample(
        content=Content(
            summary=" ".join([*terms, text(30)]),
            search_terms=terms,
            related_terms=tuple(some_words(dice, RELATED)),
            asked_as=tuple(text(4) for _ in range(ALLUSIONS)),
        ),
        details=tuple(KeyDetail("quote", "user", text(8), text(5), "하루") for _ in range(DETAILS)),
        importance=dice.choice((2, 3, 3, 4, 4, 5, 5, 6, 7, 8)),
    )


def vectors(first: int, count: int) -> Halves:
    """Unit vectors, as the column holds them; those of one number are always the same."""
    drawn = np.random.default_rng(first).standard_normal((count, WIDTH), dtype=np.float32)
    unit: npt.NDArray[np.float32] = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return unit.astype(np.float16)


def question(dice: random.Random) -> str:
    """What a user would ask: four words of the vocabulary with particles among common ones."""
    one, two, three, four = some_words(dice, 4)
    return f"우리 {one}이랑 {two}에서 {three} 했던 거 {four}였나?"


def near(known: Halves, dice: random.Random) -> Vector:
    """A question's vector: one of those known, moved by as much noise as there is signal."""
    noise = np.random.default_rng(dice.getrandbits(32)).standard_normal(WIDTH, dtype=np.float32)
    one = known[dice.randrange(len(known))].astype(np.float32)
    moved = one + noise / np.linalg.norm(noise)
    return tuple(float(x) for x in moved / np.linalg.norm(moved))
