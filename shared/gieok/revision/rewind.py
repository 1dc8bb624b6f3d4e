"""Take a conversation back to a message: what came after it never happened.

Works on ended and expired sessions too, as long as their raw messages are kept.
"""

from uuid import UUID

from gieok.conversation.lease import failure_of
from gieok.engine import Engine
from gieok.errors import Interrupted, NotFound, TurnInProgress
from gieok.generation.hints import hint_reopened
from gieok.store import revision, sessions, turns
from gieok.types import Session, UserId


async def rewind(engine: Engine, user_id: UserId, session_id: UUID, to: UUID) -> Session:
    """Remove all of a session after the message `to`; memories of it are forgotten.

    The message itself stays: a user's without its answer. Pinned memories survive; other turns of
    a forgotten memory's window are remembered anew. Rewinding again changes nothing.
    Raises `NotFound` (session; message, also a purged one), `TurnInProgress`.
    """
    look = revision.find_message(user_id, to)
    found = (await engine.database.run(user_id, look))[look]
    if found is None or found.session_id != session_id:
        raise NotFound("message")
    answer_goes = found.role == "user"
    windows = revision.invalidate_windows(
        found.scope,
        session_id,
        found.position if answer_goes else found.position + 1,
        revision.END,
        answer_of=found.turn_id if answer_goes else None,
    )
    removed = revision.remove_turns(found, failure_of(Interrupted()))
    session = sessions.read_session(user_id, session_id)
    got = await engine.database.run(
        user_id,
        turns.lock_session(user_id, session_id),
        revision.raise_fences(found.scope, session_id),
        windows,
        removed,
        session,
        look,
    )
    rewound = got[session]
    if rewound is None or got[look] is None:
        raise NotFound("message")
    if not got[removed]:
        raise TurnInProgress
    await hint_reopened(engine, found.scope, got[windows])
    return rewound
