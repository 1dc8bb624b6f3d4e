"""The retention sweep: hint what waits, expire sessions, purge raw messages, end died resets.

Purging never waits for a model: the memory worker was told in time, and what it could not take is
counted.
"""

from dataclasses import dataclass

from gieok import telemetry
from gieok.engine import SweepEngine
from gieok.generation.hints import hint
from gieok.retention.removal import remove
from gieok.store import retention
from gieok.types import Scope


@dataclass(frozen=True, slots=True)
class Swept:
    """What one run did. `lost` turns were purged before any window took them."""

    hinted: int
    expired: int
    purged: int
    lost: int


async def sweep(engine: SweepEngine) -> Swept:
    """Run the sweep once. A run is bounded, and safe to repeat and to overlap.

    Raises `DatabaseUnavailable`.
    """
    hinted = await _hint(engine)
    expired = await _expire(engine)
    purged = await _purge(engine)
    await _end_resets(engine)
    swept = Swept(hinted, expired, purged.purged, purged.lost)
    telemetry.event("swept", hinted=hinted, expired=expired, purged=purged.purged, lost=purged.lost)
    if purged.lost:
        telemetry.setback("unsummarised_lost", count=purged.lost)
    return swept


async def _hint(engine: SweepEngine) -> int:
    """Hint scopes with a window, then pairs with missing vectors, and mark whoever was hinted."""
    policy = engine.policy.generation
    due, backfills = retention.list_due_scopes(policy), retention.list_due_backfills(policy)
    got = await engine.database.run(None, due, backfills)
    sent = await _send(engine, list(dict.fromkeys([*got[due], *got[backfills]])))
    await engine.database.run(None, retention.forget_hints(), retention.mark_hinted(sent))
    return len(sent)


async def _send(engine: SweepEngine, scopes: list[Scope]) -> list[Scope]:
    for number, scope in enumerate(scopes):
        if not await hint(engine.queue, scope):
            return scopes[:number]  # the next run finds the rest
    return scopes


async def _expire(engine: SweepEngine) -> int:
    policy, total = engine.policy.retention, 0
    for _ in range(policy.sweep_batches):
        batch = retention.expire_sessions(policy)
        count = (await engine.database.run(None, batch))[batch]
        total += count
        if count < policy.purge_batch:
            break
    return total


async def _purge(engine: SweepEngine) -> retention.Purged:
    policy, purged, lost = engine.policy.retention, 0, 0
    for _ in range(policy.sweep_batches):
        batch = retention.purge_turns(policy)
        count = (await engine.database.run(None, batch))[batch]
        purged, lost = purged + count.purged, lost + count.lost
        if count.purged < policy.purge_batch:
            break
    return retention.Purged(purged, lost)


async def _end_resets(engine: SweepEngine) -> None:
    """Remove what is left of characters whose reset died."""
    left = retention.list_removals()
    for removal in (await engine.database.run(None, left))[left]:
        await remove(engine.database, None, removal)
