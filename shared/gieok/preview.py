"""What a character would remember for a message, and why: a turn's recall, and nothing else.

Nothing is said, stored or counted as read; only the call of the embedder is accounted for.
"""

import asyncio
from dataclasses import dataclass

from gieok import memory_block, recall, telemetry, tokens
from gieok.claim import cipher_of
from gieok.crypto import UserCipher
from gieok.engine import Engine
from gieok.errors import NotFound
from gieok.language import locale_of
from gieok.query import retrieval_query
from gieok.relative_time import zone
from gieok.store import keys, operations, sessions
from gieok.text import clean
from gieok.types import Assignment, Locale, ModelUse, Recalled, Recollection, Scope


@dataclass(frozen=True, slots=True)
class Previewed:
    """A recalled memory. `tokens` it takes in the prompt; None when it does not fit there."""

    recalled: Recalled
    tokens: int | None


@dataclass(frozen=True, slots=True)
class Preview:
    """A recall as a turn would have it, best first. `tokens` are those of the whole block."""

    recollection: Recollection
    memories: tuple[Previewed, ...]
    tokens: int


async def preview(
    engine: Engine,
    scope: Scope,
    message: str,
    time_zone: str,
    locale: Locale | None,
) -> Preview:
    """What the first turn of a new session with this message would recall and show its model.

    Raises `NotFound` (an unknown character), `InvalidText`, `BadRequest` (an unknown time zone).
    """
    message, clock_zone = clean(message, engine.policy.chat.message_chars, "query"), zone(time_zone)
    key, assignments = keys.read_user_key(scope.user_id), operations.read_assignments()
    cast = sessions.read_characters(scope.character_ids)
    got = await engine.database.run(scope.user_id, key, assignments, cast)
    characters = got[cast]
    if len(characters) != len(scope.character_ids):
        raise NotFound("character")
    found = Recollection("ok", "always")  # of a user who never wrote
    if got[key] is not None:
        cipher = await cipher_of(engine, scope.user_id, got[key])
        found = await _recall(engine, scope, cipher, got[assignments].of("EMBEDDING"), message)
    frame = memory_block.Frame(
        now=engine.clock.now(),
        zone=clock_zone,
        locale=locale or locale_of(message, characters[0].locale),
        several=len(characters) > 1,
    )
    return _shown(found, frame, engine.policy.prompt.memories)


async def _recall(
    engine: Engine, scope: Scope, cipher: UserCipher, assignment: Assignment, message: str
) -> Recollection:
    """As `chat` recalls, in the same time."""
    policy, uses = engine.policy.recall, list[ModelUse]()
    question = retrieval_query(message, [], policy)
    try:
        async with asyncio.timeout(policy.deadline_s):
            embedded = await recall.embed_question(engine, assignment, question, uses)
            candidates = recall.query_for(engine, scope, cipher, question, embedded)
            got = await engine.database.run(scope.user_id, candidates)
        found = recall.conclude(cipher, got[candidates], embedded)
    except TimeoutError:
        telemetry.setback("recall_failed", reason="deadline")
        found = Recollection("failed", "deadline")
    await engine.database.run(scope.user_id, operations.record_usage(scope.user_id, uses))
    return found


def _shown(found: Recollection, frame: memory_block.Frame, room: int) -> Preview:
    block = memory_block.write(found.memories, frame, room)
    costs = {r.memory.id: cost for r, cost in zip(block.shown, block.costs, strict=True)}
    memories = tuple(Previewed(r, costs.get(r.memory.id)) for r in found.memories)
    return Preview(found, memories, tokens.estimate(block.text))
