"""One place for each text: what was said again and again does not fill the prompt."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from gieok.language.repetition import repeats
from gieok.types import Recalled


def each_once(candidates: Sequence[Recalled]) -> list[Recalled]:
    """The candidates, best first; of those that say the same the newest alone.

    It takes the first of their places, and keeps its own reason but for the slot.
    """
    newest_first = sorted(candidates, key=_age, reverse=True)
    stand = repeats([one.memory.summary for one in newest_first])
    stands_for = {
        one.memory.id: newest_first[place] for one, place in zip(newest_first, stand, strict=True)
    }
    chosen: dict[UUID, Recalled] = {}
    for one in candidates:
        newest = stands_for[one.memory.id]
        if newest is not one:
            one = replace(newest, why=replace(newest.why, slot=one.why.slot))
        chosen.setdefault(newest.memory.id, one)
    return list(chosen.values())


def _age(recalled: Recalled) -> tuple[float, str]:
    return recalled.memory.happened_at.timestamp(), recalled.memory.id.hex
