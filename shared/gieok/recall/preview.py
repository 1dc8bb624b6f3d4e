"""What a character would remember for a message, and why: a turn's recall, and nothing else.

Nothing is said, stored or counted as read; only the call of the embedder is accounted for.
"""

from dataclasses import dataclass

from gieok.calls import ModelUse
from gieok.engine import Engine
from gieok.errors import NotFound
from gieok.language.detection import locale_of
from gieok.language.text import clean
from gieok.privacy.ciphers import cipher_of
from gieok.prompt import memory_block, tokens
from gieok.prompt.relative_time import zone
from gieok.recall.prepare import Asked
from gieok.recall.recall import recall
from gieok.store import keys, operations, sessions, turns
from gieok.types import Locale, Recollection, Scope


@dataclass(frozen=True, slots=True)
class Preview:
    """A recall as a turn would have it, best first. `tokens` are those of the whole block."""

    recollection: Recollection
    memories: tuple[memory_block.Shown, ...]
    tokens: int


async def preview(
    engine: Engine,
    scope: Scope,
    message: str,
    time_zone: str | None,
    locale: Locale | None,
) -> Preview:
    """What the first turn of a new session with this message would recall and show its model.

    Raises `NotFound` (an unknown character), `InvalidText`, `BadRequest` (an unknown time zone),
    `RateLimited`.
    """
    message = clean(message, engine.policy.chat.message_chars, "query")
    given_zone = zone(time_zone) if time_zone is not None else None
    await engine.within_limits(scope.user_id, "search")
    key, assignments = keys.read_user_key(scope.user_id), operations.read_assignments()
    cast, known = sessions.read_characters(scope.character_ids), turns.read_time_zone(scope.user_id)
    got = await engine.database.run(scope.user_id, key, assignments, cast, known)
    characters = got[cast]
    if len(characters) != len(scope.character_ids):
        raise NotFound("character")
    spoken = locale or locale_of(message, characters[0].locale)
    found = Recollection("ok", "always")  # of a user who never wrote
    if got[key] is not None:
        cipher = await cipher_of(engine.database, engine.keyring, scope.user_id, got[key])
        uses: list[ModelUse] = []
        asked = Asked(scope, cipher, got[assignments], message, spoken)
        found = await recall(engine, asked, uses)
        await engine.database.run(scope.user_id, operations.record_usage(scope.user_id, uses))
    frame = memory_block.Frame(
        now=engine.clock.now(),
        zone=given_zone or zone(got[known] or engine.policy.time_zone),
        locale=spoken,
        cast=tuple(c.name for c in characters),
    )
    block = memory_block.write(found.memories, frame, engine.policy.prompt.memories)
    return Preview(found, block.recalled, tokens.estimate(block.text))
