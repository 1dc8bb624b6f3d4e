"""One place for each text: what was said again and again does not fill the prompt."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from uuid import UUID

from gieok.language.repetition import repeats
from gieok.types import Recalled


def each_once(candidates: Sequence[Recalled], limit: int) -> tuple[Recalled, ...]:
    """At most `limit` of the candidates, of those that say the same the newest alone.

    Candidates come best first: fused ones, then important ones that have places reserved, then the
    newest ones that only fill up. The newest of those that say the same takes the first of their
    places, and keeps its own reason but for the slot.
    """
    distinct = _distinct(candidates)
    reserved = [one for one in distinct if one.why.slot == "importance"]
    fused = [one for one in distinct if one.why.slot == "fused"]
    newest = [one for one in distinct if one.why.slot == "newest"]
    sure = max(limit - len(reserved), 0)
    return (*fused[:sure], *reserved, *fused[sure:], *newest)[:limit]


def _distinct(candidates: Iterable[Recalled]) -> list[Recalled]:
    candidates = list(candidates)
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
