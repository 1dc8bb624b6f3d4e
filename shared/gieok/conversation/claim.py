"""Begin a turn: one per client message id, one at a time per session, with its whole context.

Claim and context are one batch, so they cost one round trip and see one state.
"""

import asyncio
from dataclasses import dataclass, replace
from uuid import UUID

from gieok.conversation.context import ContextQueries, TurnContext
from gieok.conversation.lease import Lease, failure_of, give_back
from gieok.engine import Engine
from gieok.errors import (
    BadRequest,
    Interrupted,
    MessageIdReused,
    NotFound,
    RateLimited,
    SessionClosed,
    TurnInProgress,
)
from gieok.ids import new_id
from gieok.language.detection import locale_of
from gieok.language.text import clean
from gieok.policy import ChatPolicy
from gieok.privacy.ciphers import cipher_of
from gieok.prompt.relative_time import zone
from gieok.store import keys, revision, sessions, turns
from gieok.store.database import Query, Results
from gieok.types import Locale, Scope, UserId

LARGEST_CAST = 8
BUSY_AGAIN_S = 5
"""Seconds after which a user whose turns are all running may try again."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A validated request for one turn. `character_ids` may be empty when a session is named.

    `again` asks for another answer to what was said before, under `client_message_id`. Without a
    `time_zone` the message is of the one that the user was last known in.
    """

    request_id: str
    user_id: UserId
    message: str
    character_ids: tuple[UUID, ...]
    session_id: UUID | None
    client_message_id: str
    time_zone: str | None
    locale: Locale | None
    again: bool = False


@dataclass(frozen=True, slots=True)
class Claimed:
    """A turn that is ours to answer, and what its answer starts from.

    `time_zone` is an IANA name. `pending` counts user messages that no window has taken, this one
    included. `reopened` tells that an extraction may have been superseded, so that the worker is to
    be told again.
    """

    ask: Ask
    lease: Lease
    scope: Scope
    locale: Locale
    time_zone: str
    context: TurnContext
    pending: int
    reopened: bool = False


@dataclass(frozen=True, slots=True)
class Earlier:
    """The same client message id came before: its turn, ended or still running elsewhere."""

    ask: Ask
    turn: turns.StoredTurn
    key: keys.StoredKey | None


def ask_for(
    policy: ChatPolicy,
    *,
    request_id: str,
    user_id: UserId,
    message: str,
    character_ids: tuple[UUID, ...],
    session_id: UUID | None,
    client_message_id: str | None,
    time_zone: str | None,
    locale: Locale | None,
) -> Ask:
    """Validate a request. Raises `BadRequest` naming the field that breaks a rule."""
    if not character_ids and session_id is None:
        raise BadRequest("characterId, characterIds or sessionId is needed")
    if len(set(character_ids)) != len(character_ids) or len(character_ids) > LARGEST_CAST:
        raise BadRequest(f"characterIds: at most {LARGEST_CAST}, each once")
    if time_zone is not None:
        zone(time_zone)
    return Ask(
        request_id,
        user_id,
        clean(message, policy.message_chars),
        tuple(sorted(character_ids)),
        session_id,
        client_message_id or new_id().hex,
        time_zone,
        locale,
    )


async def claim(engine: Engine, ask: Ask) -> Claimed | Earlier:
    """Claim the turn, opening its session when the request names none.

    A turn that ended without an answer begins again. Raises `RateLimited`, `NotFound` (character or
    session), `BadRequest` (a session of another cast), `SessionClosed`, `TurnInProgress`,
    `MessageIdReused`, `KeyDestroyed`, `KeyServiceUnavailable`, `DecryptionFailed`,
    `DatabaseUnavailable`; then nothing of this request was stored.
    """
    batch = _Batch(engine, ask)
    got = await _within_limits(engine, batch)
    begun, earlier = got[batch.claim], got[batch.turn]
    if earlier is None:
        raise _refusal(engine.policy.chat, ask, got[batch.session])
    if begun is not None:
        claimed = batch.claimed(got, begun)
        return claimed if begun.id == batch.runner else await _begin_again(engine, claimed, earlier)
    await refuse_another(engine, ask, earlier, batch.context.key(got))
    if earlier.answering or earlier.reply_id is not None:
        return Earlier(ask, earlier, batch.context.key(got))
    if ask.session_id != earlier.session_id:
        return await claim(engine, replace(ask, session_id=earlier.session_id))
    raise _refusal(engine.policy.chat, ask, got[batch.session])


async def _within_limits(engine: Engine, batch: "_Batch") -> Results:
    """Run the batch and count the request beside it; one too many undoes its claim."""
    user_id = batch.ask.user_id
    counting = asyncio.ensure_future(engine.within_limits(user_id, "turn"))
    try:
        got = await engine.database.run(user_id, *batch.queries)
    except BaseException:
        counting.cancel()
        raise
    try:
        await counting
    except BaseException:
        if begun := got[batch.claim]:
            await asyncio.shield(give_back(engine, batch.lease(begun)))
        raise
    return got


async def refuse_another(
    engine: Engine, ask: Ask, earlier: turns.StoredTurn, key: keys.StoredKey | None
) -> None:
    """Raises `MessageIdReused` when the turn is of another request: another message, session or
    cast, or one to answer again."""
    elsewhere = ask.session_id not in (None, earlier.session_id)
    with_others = ask.character_ids not in ((), tuple(earlier.character_ids))
    if elsewhere or with_others or ask.again != earlier.by_reroll:
        raise MessageIdReused("clientMessageId came with another request before")
    if earlier.message_digest is None or ask.again:
        return
    cipher = await cipher_of(engine.database, engine.keyring, ask.user_id, key)
    if cipher.request_digest(ask.client_message_id, ask.message) != earlier.message_digest:
        raise MessageIdReused("clientMessageId came with another message before")


async def _begin_again(engine: Engine, claimed: Claimed, earlier: turns.StoredTurn) -> Claimed:
    """Others may have been remembered since it began: it must not sit behind their cursor."""
    lease, scope, here = claimed.lease, claimed.scope, earlier.position
    try:
        await refuse_another(engine, claimed.ask, earlier, claimed.context.key)
        await engine.database.run(
            lease.user_id,
            revision.raise_fences(scope, lease.session_id, lease.turn_id),
            revision.invalidate_windows(scope, lease.session_id, here, here, own=lease.turn_id),
            turns.move_turn(lease.user_id, lease.turn_id),
        )
    except BaseException:
        await asyncio.shield(give_back(engine, lease))
        raise
    return replace(claimed, reopened=True)


class _Batch:
    """The queries of a claim, in the order they must run."""

    def __init__(self, engine: Engine, ask: Ask) -> None:
        user, policy = ask.user_id, engine.policy
        session_id = ask.session_id or new_id()
        self.ask, self._session_id, self.runner = ask, session_id, new_id()
        self._policy = policy
        self.session = turns.lock_session(user, session_id)
        self.claim = turns.claim_turn(
            user,
            session_id,
            self.runner,
            ask.character_ids,
            ask.client_message_id,
            ask.time_zone,
            policy.chat,
        )
        self.turn = turns.read_turn(user, ask.client_message_id)
        self.context = ContextQueries(policy, user, session_id, ask.client_message_id)
        dead = turns.abandon_turns(user, session_id, failure_of(Interrupted()))
        self.queries: list[Query[object]] = [
            self.session,
            dead,
            self.claim,
            self.turn,
            *self.context.all,
        ]
        if ask.session_id is None:
            scope = Scope(user, ask.character_ids)
            active_for = policy.retention.session_active
            opening = sessions.create_session(scope, session_id, ask.client_message_id, active_for)
            self.queries.insert(0, opening)
            self.queries.append(sessions.discard_empty_session(user, session_id))

    def lease(self, begun: turns.Begun) -> Lease:
        """The turn in the hands of this request."""
        ask = self.ask
        return Lease(ask.user_id, self._session_id, begun.id, self.runner, ask.session_id is None)

    def claimed(self, got: Results, begun: turns.Begun) -> Claimed:
        """The claimed turn with its context."""
        ask, session, context = self.ask, got[self.session], self.context.read(got)
        character_ids = session.character_ids if session else ask.character_ids
        return Claimed(
            ask=ask,
            lease=self.lease(begun),
            scope=Scope(ask.user_id, character_ids),
            locale=ask.locale or locale_of(ask.message, context.cast[0].locale),
            time_zone=begun.time_zone or self._policy.time_zone,
            context=context,
            pending=context.pending + 1,
        )


def _refusal(policy: ChatPolicy, ask: Ask, session: turns.LockedSession | None) -> Exception:
    """Why a claim got nothing."""
    if session is None:
        return NotFound("session" if ask.session_id else "character")
    if ask.character_ids and ask.character_ids != session.character_ids:
        return BadRequest("the session has other characters")
    return busy_or_closed(policy, session)


def busy_or_closed(policy: ChatPolicy, session: turns.LockedSession) -> Exception:
    """Why a session takes no turn now."""
    if not session.open:
        return SessionClosed()
    return RateLimited(BUSY_AGAIN_S) if session.others >= policy.turns_at_once else TurnInProgress()
