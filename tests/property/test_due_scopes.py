"""The sweep hints exactly the scopes that the worker then finds due.

The same pending turns on a real database, judged by the sweep's query and by the worker's rule.
"""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from hypothesis import given, note, settings
from hypothesis import strategies as st

from gieok.generation.window import Window, next_window
from gieok.ids import new_id
from gieok.store import retention, windows
from gieok.types import Scope
from tests.support.examples import examples
from tests.support.stack import Stack, world_in
from tests.support.world import World, somebody

AGES_S = [10, 180, 3 * 3600, 21 * 3600]
"""Fresh, settled, idle, to be flushed: well away from every limit of the policy."""

spans = st.sampled_from([timedelta(seconds=s) for s in AGES_S])
turns = st.fixed_dictionaries(
    {
        "session": st.integers(0, 1),
        "age": spans,
        "told": st.integers(0, 3).map(bool),
        "closed": st.integers(0, 7).map(lambda n: n == 0),
        "standing": st.integers(0, 7).map(lambda n: n == 0),
        "running": st.integers(0, 7).map(lambda n: n == 0),
        "lease_lost": st.booleans(),
    }
)
sessions = st.fixed_dictionaries(
    {
        "idle": spans,
        "left": st.sampled_from([-1, 1, 1, 1]),
        "status": st.sampled_from(["active", "active", "active", "archived"]),
    }
)


@dataclass(frozen=True)
class Past:
    """What a scope has behind it: its turns in order, its two sessions, how far it was reset or
    covered, and which turn was refused."""

    turns: list[dict[str, Any]]
    sessions: list[dict[str, Any]]
    reset: int
    covered: int
    refused: int


pasts = st.builds(
    Past,
    st.lists(turns, min_size=1, max_size=12),
    st.lists(sessions, min_size=2, max_size=2),
    st.sampled_from([0, 0, 0, 1, 2, 3]),
    st.sampled_from([0, 0, 0, 1, 2]),
    st.sampled_from([0, 0, 0, 1, 2, 4]),
)


async def lived(world: World, past: Past) -> Scope:
    """A scope of two characters with that past."""
    scope = Scope(somebody(), tuple(sorted((new_id(), new_id()))))
    cast, ids = list(scope.character_ids), [new_id(), new_id()]
    for session, given_ in zip(ids, past.sessions, strict=True):
        await world.sql(
            "INSERT INTO chat.sessions (id, user_id, character_ids, status, last_active_at,"
            " expires_at) VALUES (%s, %s, %s, %s, now() - %s, now() + %s)",
            session, scope.user_id, cast, given_["status"], given_["idle"],
            timedelta(hours=given_["left"]),
        )  # fmt: skip
    answering: set[int] = set()
    positions = [await _turn(world, scope, t, ids, answering) for t in past.turns]
    reset, covered, refused = (
        ([0, *positions] + [positions[-1]] * 4)[n] for n in (past.reset, past.covered, past.refused)
    )
    await world.sql(
        "INSERT INTO memory.pairs (user_id, character_ids, covered_through, reset_through, refused)"
        " VALUES (%s, %s, %s, 0, %s), (%s, %s, 0, %s, 0), (%s, %s, 0, 0, 0)",
        scope.user_id, cast, covered, refused,
        scope.user_id, cast[:1], reset, scope.user_id, cast[1:],
    )  # fmt: skip
    return scope


async def _turn(
    world: World, scope: Scope, turn: dict[str, Any], sessions: list[UUID], answering: set[int]
) -> int:
    """The turn's position. A session answers one message at a time."""
    running, turn_id = turn["running"] and turn["session"] not in answering, new_id()
    answering |= {turn["session"]} if running else set()
    ((position,),) = await world.sql(
        "INSERT INTO chat.turns (id, user_id, session_id, character_ids, client_message_id, number,"
        " state, lease_until, created_at, closed) VALUES (%s, %s, %s, %s, %s, 1, %s,"
        " now() + %s, now() - %s, %s) RETURNING position",
        turn_id, scope.user_id, sessions[turn["session"]], list(scope.character_ids),
        str(turn_id), "running" if running else "done",
        timedelta(hours=-1 if turn["lease_lost"] else 1), turn["age"], turn["closed"],
    )  # fmt: skip
    if turn["told"]:
        await world.sql(
            "INSERT INTO chat.messages (id, user_id, turn_id, role, body, created_at)"
            " VALUES (%s, %s, %s, 'user', '', now() - %s)",
            new_id(), scope.user_id, turn_id, turn["age"],
        )  # fmt: skip
    if turn["standing"]:
        await world.sql(
            "INSERT INTO memory.memories (id, user_id, character_ids, first_position,"
            " last_position, session_ids, summary, details, importance, extractor, prompt_version,"
            " began_at, happened_at)"
            " VALUES (%s, %s, %s, %s, %s, '{}', '', '', 5, '', '', now(), now())",
            new_id(), scope.user_id, list(scope.character_ids), position, position,
        )  # fmt: skip
    return int(position)


async def worker_says(world: World, scope: Scope) -> bool:
    policy = world.worker.policy.generation
    pending = windows.read_pending_turns(scope, policy)
    got = await world.worker.database.run(scope.user_id, windows.open_fences(scope), pending)
    return isinstance(next_window(got[pending].turns, world.clock.now(), policy), Window)


async def sweep_says(world: World, scope: Scope) -> bool:
    due = retention.list_due_scopes(world.sweeper.policy.generation, 100_000)
    return scope in (await world.sweeper.database.run(None, due))[due]


def test_the_sweep_and_the_worker_agree_on_what_is_due(stack: Stack) -> None:
    answers = set()
    with asyncio.Runner() as runner, world_in(runner, stack) as world:

        @settings(max_examples=examples(40))
        @given(pasts)
        def agree(past: Past) -> None:
            scope = runner.run(lived(world, past))
            worker, sweep = (
                runner.run(worker_says(world, scope)),
                runner.run(sweep_says(world, scope)),
            )
            note(f"worker {worker}, sweep {sweep}")
            assert worker == sweep
            answers.add(worker)

        agree()
    assert answers == {True, False}, "both answers were seen"
