"""A running turn in the hands of one request, and how it is given back without an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from gieok import telemetry
from gieok.calls import ModelUse
from gieok.engine import Engine
from gieok.errors import DatabaseUnavailable, GieokError, Interrupted
from gieok.store import operations, sessions, turns
from gieok.store.database import Query
from gieok.types import UserId


@dataclass(frozen=True, slots=True)
class Lease:
    """A running turn that is this request's; `runner` is what says so."""

    user_id: UserId
    session_id: UUID
    turn_id: UUID
    runner: UUID
    new_session: bool = False


async def give_back(engine: Engine, lease: Lease, uses: Sequence[ModelUse] = ()) -> None:
    """End a turn that gets no answer, as far as the database can be reached.

    What the user said stays, and an answer from before; a claim that stored nothing is undone.
    `uses` is what its calls of models cost all the same.
    """
    user_id, session_id = lease.user_id, lease.session_id
    ends: list[Query[object]] = [
        turns.lock_session(user_id, session_id),
        turns.release_turn(user_id, lease.turn_id, lease.runner),
        turns.abandon_turns(user_id, session_id, failure_of(Interrupted()), lease.runner),
        operations.record_usage(user_id, uses),
    ]
    if lease.new_session:
        ends.append(sessions.discard_empty_session(user_id, session_id))
    try:
        await engine.database.run(user_id, *ends)
    except DatabaseUnavailable as error:
        telemetry.failure("turn_release_failed", error, turn_id=str(lease.turn_id))


def failure_of(error: GieokError) -> Mapping[str, Any]:
    """An error as the outcome of a turn."""
    told = {"code": error.code, "message": error.told, "retryable": error.retryable}
    return {"error": told}
