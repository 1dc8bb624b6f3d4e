"""Conversations of a user: open, list, read, end."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from gieok.engine import Engine
from gieok.errors import NotFound
from gieok.generation.hints import hint
from gieok.ids import new_id
from gieok.privacy.cells import message_cell
from gieok.privacy.cipher import UserCipher
from gieok.privacy.ciphers import cipher_of
from gieok.privacy.open_or_drop import open_or_drop
from gieok.prompt.speaker_lines import spoken_parts
from gieok.store import keys
from gieok.store import sessions as store
from gieok.store.paging import page_of
from gieok.store.sessions import StoredMessage
from gieok.types import Character, Page, Scope, Session, UserId


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A raw message with its text.

    `parts` of an answer in a group: who said what of it, in order; none of any other message.
    """

    stored: StoredMessage
    text: str
    parts: tuple[tuple[str, str], ...]


async def open_session(engine: Engine, scope: Scope) -> Session:
    """A new conversation. Raises `NotFound` when a character is unknown."""
    session_id = new_id()
    active_for = engine.policy.retention.session_active
    made = store.read_session(scope.user_id, session_id)
    got = await engine.database.run(
        scope.user_id, store.create_session(scope, session_id, None, active_for), made
    )
    return _found(got[made], "character")


async def list_sessions(
    engine: Engine, user_id: UserId, character_id: UUID | None, before: UUID | None, limit: int
) -> Page[Session]:
    """Conversations older than `before`, newest first."""
    page = store.list_sessions(user_id, character_id, before, limit + 1)
    return page_of((await engine.database.run(user_id, page))[page], limit, lambda s: s.id)


async def read_session(engine: Engine, user_id: UserId, session_id: UUID) -> Session:
    """One conversation. Raises `NotFound`."""
    one = store.read_session(user_id, session_id)
    return _found((await engine.database.run(user_id, one))[one], "session")


async def read_messages(
    engine: Engine, user_id: UserId, session_id: UUID, before: UUID | None, limit: int
) -> Page[ReadMessage]:
    """Raw messages that are still kept, newest first. Raises `NotFound`.

    One that cannot be decrypted is left out and counted.
    """
    one, key = store.read_session(user_id, session_id), keys.read_user_key(user_id)
    stored = store.read_messages(user_id, session_id, before, limit + 1)
    cast = store.read_cast(user_id, session_id)
    got = await engine.database.run(user_id, one, key, stored, cast)
    _found(got[one], "session")
    page = page_of(got[stored], limit, lambda m: m.sealed.id)
    if not page.items:
        return Page((), None)
    cipher = await cipher_of(engine.database, engine.keyring, user_id, got[key])
    read = (
        open_or_drop("message", read_message, cipher, m, got[cast], message_id=m.sealed.id)
        for m in page.items
    )
    return Page(tuple(m for m in read if m), page.next)


def read_message(
    cipher: UserCipher, stored: StoredMessage, cast: Sequence[Character]
) -> ReadMessage:
    """Decrypt a raw message of a session with this cast. Raises `DecryptionFailed`."""
    text = cipher.open(message_cell(stored.sealed.id), stored.sealed.body)
    if len(cast) == 1 or stored.sealed.role != "assistant":
        return ReadMessage(stored, text, ())
    return ReadMessage(stored, text, spoken_parts(text, [c.name for c in cast], stored.speaker))


async def end_session(engine: Engine, user_id: UserId, session_id: UUID) -> Session:
    """Close a conversation: what it still holds becomes a memory now. Raises `NotFound`.

    Ending it again changes nothing.
    """
    ended, one = store.end_session(user_id, session_id), store.read_session(user_id, session_id)
    got = await engine.database.run(user_id, ended, one)
    session = _found(got[one], "session")
    if got[ended]:
        await hint(engine.queue, Scope(user_id, session.character_ids))
    return session


def _found(session: Session | None, kind: str) -> Session:
    if session is None:
        raise NotFound(kind)
    return session
