"""Answer a turn again: claim it, forget what its window left; the answer goes as `chat` tells it.

The answer from before stays until the new one is whole, so a reroll that fails costs nothing.
"""

import asyncio
from dataclasses import dataclass, replace
from uuid import UUID

from gieok.conversation.claim import Ask, Claimed, Earlier, busy_or_closed
from gieok.conversation.context import ContextQueries
from gieok.conversation.lease import Lease, failure_of, give_back
from gieok.engine import Engine
from gieok.errors import (
    Interrupted,
    MessageIdReused,
    NotFound,
)
from gieok.generation.hints import hint_reopened
from gieok.ids import new_id
from gieok.language.detection import locale_of
from gieok.policy import ChatPolicy
from gieok.privacy.cells import open_message
from gieok.privacy.ciphers import cipher_of
from gieok.prompt.relative_time import zone
from gieok.store import keys, revision, turns
from gieok.store.revision import FoundMessage, Reopened
from gieok.types import Locale, UserId


@dataclass(frozen=True, slots=True)
class Again:
    """A validated request to answer the turn of a message again."""

    request_id: str
    user_id: UserId
    message_id: UUID
    client_message_id: str
    time_zone: str | None
    locale: Locale | None

    @property
    def ask(self) -> Ask:
        """The request as a turn; its message is read once it is claimed."""
        return Ask(
            self.request_id,
            self.user_id,
            "",
            (),
            None,
            self.client_message_id,
            self.time_zone,
            self.locale,
            again=True,
        )


def again_for(
    *,
    request_id: str,
    user_id: UserId,
    message_id: UUID,
    client_message_id: str | None,
    time_zone: str | None,
    locale: Locale | None,
) -> Again:
    """Validate a request. Raises `BadRequest` naming the field that breaks a rule."""
    if time_zone is not None:
        zone(time_zone)
    client_message_id = client_message_id or new_id().hex
    return Again(request_id, user_id, message_id, client_message_id, time_zone, locale)


async def claim_again(engine: Engine, again: Again) -> Claimed | Earlier:
    """Claim the turn of a message, the user's or the answer, to answer it again.

    The same `client_message_id` comes once, as with a message. Raises `RateLimited`, `NotFound`
    (also for a purged message), `SessionClosed`, `TurnInProgress`, `MessageIdReused`,
    `DatabaseUnavailable`; then nothing was changed.
    """
    user_id = again.user_id
    await engine.within_limits(user_id, "turn")
    look, key = revision.find_message(user_id, again.message_id), keys.read_user_key(user_id)
    earlier = turns.read_turn(user_id, again.client_message_id, again=True)
    got = await engine.database.run(user_id, look, earlier, key)
    found, turn = got[look], got[earlier]
    if turn and (not turn.by_reroll or (found and found.turn_id != turn.id)):
        raise MessageIdReused("clientMessageId came with another message before")
    if turn and not turn.dead:
        return Earlier(again.ask, turn, got[key])
    if found is None:
        raise NotFound("message")
    return await _claim(engine, again, found, got[key])


async def _claim(
    engine: Engine, again: Again, found: FoundMessage, key: keys.StoredKey | None
) -> Claimed | Earlier:
    user_id = again.user_id
    lease = Lease(user_id, found.session_id, found.turn_id, new_id())
    session = turns.lock_session(user_id, lease.session_id)
    claim = revision.claim_reroll(
        user_id, lease.turn_id, lease.runner, again.client_message_id, engine.policy.chat
    )
    earlier = turns.read_turn(user_id, again.client_message_id, again=True)
    abandoned = turns.abandon_turns(user_id, lease.session_id, failure_of(Interrupted()))
    got = await engine.database.run(user_id, session, abandoned, claim, earlier)
    reopened, turn = got[claim], got[earlier]
    if reopened is None:
        if turn and turn.by_reroll and turn.id == lease.turn_id:
            return Earlier(again.ask, turn, key)
        raise _refusal(engine.policy.chat, turn, got[session])
    try:
        return await _open(engine, again.ask, lease, found, reopened)
    except BaseException:
        await asyncio.shield(give_back(engine, lease))
        raise


def _refusal(
    policy: ChatPolicy, turn: turns.StoredTurn | None, session: turns.LockedSession | None
) -> Exception:
    """Why a claim got nothing."""
    if turn:
        return MessageIdReused("clientMessageId came with another message before")
    if session is None:
        return NotFound("message")
    return busy_or_closed(policy, session)


async def _open(
    engine: Engine, ask: Ask, lease: Lease, found: FoundMessage, reopened: Reopened
) -> Claimed:
    """Forget what the turn's window left, then read what the answer starts from."""
    user_id, session_id, here = lease.user_id, lease.session_id, reopened.position
    turn_id = lease.turn_id
    windows = revision.invalidate_windows(
        found.scope, session_id, here, here, own=turn_id, answer_of=turn_id
    )
    fences = revision.raise_fences(found.scope, session_id, turn_id)
    to_read = (await engine.database.run(user_id, fences, windows))[windows]
    await hint_reopened(engine, found.scope, to_read)
    queries = ContextQueries(
        engine.policy, user_id, session_id, found.client_message_id, before=here
    )
    context = queries.read(await engine.database.run(user_id, *queries.all))
    if not context.cast:  # a reset took the session meanwhile
        raise NotFound("message")
    cipher = await cipher_of(engine.database, engine.keyring, user_id, context.key)
    said = open_message(cipher, reopened.said, {}).text
    return Claimed(
        ask=replace(ask, message=said),
        lease=lease,
        scope=found.scope,
        locale=ask.locale or locale_of(said, context.cast[0].locale),
        time_zone=ask.time_zone or reopened.time_zone or engine.policy.time_zone,
        context=context,
        pending=context.pending,
    )
