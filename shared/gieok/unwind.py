"""What follows when windows of a conversation were forgotten."""

from gieok.engine import Engine
from gieok.hint import hint, once_settled
from gieok.relationships import recompute
from gieok.types import Scope


async def unwind(engine: Engine, scope: Scope, forgotten: int) -> None:
    """Take what forgotten windows said out of relationships, and have the rest remembered anew.

    `forgotten` counts memories; with none the worker is not told. Relationships are looked at in
    any case, so that doing it again completes what was cut short. Raises `Conflict`.
    """
    for character_id in scope.character_ids:
        await recompute(engine, scope.user_id, character_id)
    if forgotten:
        await hint(engine, scope, once_settled(engine.policy.generation))
