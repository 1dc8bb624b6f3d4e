"""The window that a scope's next memory is to be made of: read, decided on, decrypted."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from gieok.engine import Engine
from gieok.extraction.window_context import WindowContext
from gieok.generation import early_trigger
from gieok.generation.window import Unsettled, Window, next_window
from gieok.language.detection import locale_of
from gieok.privacy.cells import open_turns, open_versions
from gieok.privacy.cipher import UserCipher
from gieok.prompt.speaker_lines import spoken_messages
from gieok.relationship.versions import make_lost
from gieok.store import keys, operations, sessions, windows
from gieok.store.sealed import PendingTurn, SealedRelationship, SealedTurn
from gieok.types import Character, Message, Scope


@dataclass(frozen=True, slots=True)
class Nothing:
    """Nothing is due; or something is, but it failed and waits for its next try.

    `settles_at` is when a window that is whole will be due, if nobody talks on: its newest turns
    may still change.
    """

    why: Literal["not_due", "waiting"]
    settles_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DueWindow:
    """A window to be remembered, decrypted, and the fence that its memory must find unchanged.

    `shown_versions` are those of the context's relationships, in the order of the scope, 0 where
    there was none. `narrowed`: its content was refused before, with more turns or with what the
    context has from before. `rest`: more turns wait behind it.
    """

    scope: Scope
    fence: windows.Fence
    window: Window
    cast: tuple[Character, ...]
    context: WindowContext
    shown_versions: tuple[int, ...]
    assignments: operations.Assignments
    cipher: UserCipher
    narrowed: bool
    rest: bool


@dataclass(frozen=True, slots=True)
class Look:
    """What there is to do for a scope. `vectors_missing`: some memory of the cast waits for one."""

    found: DueWindow | Nothing
    vectors_missing: bool


async def look(engine: Engine, scope: Scope) -> Look:
    """Read the fence, then what is pending behind it, and decide.

    Relationships that lost a window are made anew first. Raises `DatabaseUnavailable`,
    `KeyServiceUnavailable`, `DecryptionFailed`, `Conflict`.
    """
    user, policy = scope.user_id, engine.policy.generation
    pair, pending = windows.read_fence(scope), windows.read_pending_turns(scope, policy)
    states = windows.read_scope_relationships(scope)
    cast = sessions.read_characters(scope.character_ids)
    key, assignments = keys.read_user_key(user), operations.read_assignments()
    got = await engine.database.run(
        user, windows.open_fences(scope), pair, pending, states, cast, key, assignments
    )
    fence, window = got[pair], await _due(engine, scope, got[pending].turns, got[key])
    if not isinstance(window, Window):
        return Look(Nothing("not_due", window.until if window else None), fence.vectors_missing)
    if fence.retry_at and fence.retry_at > engine.clock.now():
        return Look(Nothing("waiting"), fence.vectors_missing)
    cipher = await engine.keyring.open(user, _wrapped(got[key]))
    narrowed = fence.refused >= window.first_position
    earlier = () if narrowed else got[pending].earlier
    if await make_lost(engine, cipher, user, got[states]):
        return await look(engine, scope)
    due = DueWindow(
        scope=scope,
        fence=fence,
        window=window,
        cast=tuple(got[cast]),
        context=_context(engine, cipher, window, earlier, got[cast], got[states]),
        shown_versions=_versions(scope, got[states]),
        assignments=got[assignments],
        cipher=cipher,
        narrowed=narrowed,
        rest=got[pending].turns[-1].position > window.last_position,
    )
    return Look(due, fence.vectors_missing)


def _context(
    engine: Engine,
    cipher: UserCipher,
    window: Window,
    earlier: Sequence[SealedTurn],
    cast: Sequence[Character],
    states: Iterable[SealedRelationship],
) -> WindowContext:
    names = {c.id: c.name for c in cast}
    messages = _messages(cipher, window.turns, names)
    return WindowContext(
        cast=tuple(names.values()),
        messages=messages,
        time_zone=window.time_zone or engine.policy.time_zone,
        locale=locale_of(" ".join(m.text for m in messages), cast[0].locale),
        relationships=open_versions(cipher, states, names),
        zones=window.zones,
        earlier=_messages(cipher, earlier, names),
    )


async def _due(
    engine: Engine, scope: Scope, pending: Sequence[PendingTurn], key: keys.StoredKey | None
) -> Window | Unsettled | None:
    """The window that is due by counts and times, and where the policy says so by what was said."""
    now, policy = engine.clock.now(), engine.policy.generation
    if not pending or not _wrapped(key):
        return None
    if not policy.early_trigger:
        return next_window(pending, now, policy)
    cipher = await engine.keyring.open(scope.user_id, _wrapped(key))
    return next_window(pending, now, policy, _reader(cipher))


def _wrapped(key: keys.StoredKey | None) -> bytes:
    """The wrapped key; empty for a user who has none any more, or never had one."""
    return (key.wrapped if key else None) or b""


def _reader(cipher: UserCipher) -> Callable[[SealedTurn], bool]:
    """Whether a turn's message calls for a window; one that cannot be read does not."""

    def calls(sealed: SealedTurn) -> bool:
        turns = open_turns(cipher, [sealed], {})
        return any(early_trigger.statement_in(t.user.text) for t in turns)

    return calls


def _versions(scope: Scope, states: Iterable[SealedRelationship]) -> tuple[int, ...]:
    newest = {state.character_id: state.version for state in states}
    return tuple(newest.get(character_id, 0) for character_id in scope.character_ids)


def _messages(
    cipher: UserCipher, turns: Iterable[SealedTurn], names: Mapping[UUID, str]
) -> tuple[Message, ...]:
    opened, cast = open_turns(cipher, turns, names), list(names.values())
    said = (m for t in opened for m in (t.user, t.reply) if m)
    return tuple(part for message in said for part in spoken_messages(message, cast))
