"""What becomes of a window that a model refuses for what was said in it."""

from dataclasses import replace

from gieok.calls import HARMLESS, ModelUse
from gieok.engine import Engine
from gieok.errors import ModelBlocked, ModelError, ModelRejected
from gieok.extraction.request import request
from gieok.generation.due_window import DueWindow
from gieok.generation.failures import park, record
from gieok.generation.outcome import Outcome
from gieok.store import windows


async def refuse(
    engine: Engine, due: DueWindow, error: ModelBlocked | ModelRejected, uses: list[ModelUse]
) -> Outcome:
    """Go on without the turn that a model refuses: "refused", "parked" or "superseded".

    A window that failed before is tried again at once without its newest turn, until the rest
    passes; the turn that was taken off last is then tried alone, and parked when it is refused
    alone, too. So a refusal costs its own turn, and at most two calls more than the window has
    turns. Raises the error at the first failure, which may be a whim, and when the model refuses a
    harmless message as well: then it counts as away.
    """
    seeking = due.narrowed or (due.fence.failures and await _works(engine, due, uses))
    if not seeking:
        raise error
    if due.narrowed and len(due.window.turns) == 1:
        return await park(engine, due, error, uses)
    marked = windows.refuse_window(due.scope, due.fence, due.window.last_position)
    return await record(engine, due, marked, "refused", error, uses)


async def _works(engine: Engine, due: DueWindow, uses: list[ModelUse]) -> bool:
    """Whether the model reads anything at all."""
    first = due.context.messages[0]
    harmless = replace(
        due.context, messages=(replace(first, text=HARMLESS),), earlier=(), relationships={}
    )
    limit, assignment = engine.policy.generation.extraction_s, due.assignments.of("EXTRACTION")
    try:
        await engine.models.structured(assignment, request(harmless), limit, uses)
    except ModelError:
        return False
    return True
