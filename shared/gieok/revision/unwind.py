"""What follows when windows of a conversation were forgotten."""

from gieok.engine import Engine
from gieok.generation.hints import hint, once_settled
from gieok.types import Scope


async def unwind(engine: Engine, scope: Scope, reopened: int) -> None:
    """Have what is left of forgotten windows remembered anew.

    `reopened` counts turns to be read again; with none the worker is not told.
    """
    if reopened:
        await hint(engine, scope, once_settled(engine.policy.generation))
