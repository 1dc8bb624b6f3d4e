"""Change what was said: a user's own message, or a character's answer as the user wants it.

Works on ended and expired sessions too, as long as their raw messages are kept.
"""

from uuid import UUID

from gieok.conversation.sessions import ReadMessage, read_message
from gieok.engine import Engine
from gieok.errors import NotFound, TurnInProgress
from gieok.generation.hints import hint_reopened
from gieok.language.text import clean
from gieok.privacy.cells import message_cell
from gieok.privacy.ciphers import cipher_of
from gieok.store import keys, revision, sessions, turns
from gieok.types import UserId


async def edit_message(engine: Engine, user_id: UserId, message_id: UUID, text: str) -> ReadMessage:
    """Give a raw message a new text; what was remembered of its window is remembered anew.

    Pinned memories survive. The same text again changes nothing.
    Raises `InvalidText`, `NotFound` (also for a purged message), `TurnInProgress`.
    """
    text = clean(text, engine.policy.chat.message_chars)
    look, key = revision.find_message(user_id, message_id), keys.read_user_key(user_id)
    got = await engine.database.run(user_id, look, key)
    found = got[look]
    if found is None:
        raise NotFound("message")
    cipher = await cipher_of(engine.database, engine.keyring, user_id, got[key])
    cell, here = message_cell(message_id), found.position
    answer_of = found.turn_id if found.role == "assistant" else None
    windows = revision.invalidate_windows(
        found.scope, found.session_id, here, here, answer_of=answer_of
    )
    digest = cipher.request_digest(found.client_message_id, text)
    edited = revision.edit_message(user_id, message_id, cipher.seal(cell, text), digest)
    now = sessions.read_messages(user_id, found.session_id, None, 1, message_id)
    cast = sessions.read_cast(user_id, found.session_id)
    fences = revision.raise_fences(found.scope, found.session_id)
    batch = (fences, windows, edited) if cipher.open(cell, found.body) != text else ()
    got = await engine.database.run(
        user_id, turns.lock_session(user_id, found.session_id), *batch, now, cast
    )
    if not got[now]:
        raise NotFound("message")
    if batch and not got[edited]:
        raise TurnInProgress
    await hint_reopened(engine, found.scope, got[windows] if batch else 0)
    return read_message(cipher, got[now][0], got[cast])
