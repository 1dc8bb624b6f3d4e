"""What a turn's answer starts from: one loader, for a new turn and for one answered again."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from gieok.policy import Policy
from gieok.store import keys, memories, operations, sessions, turns
from gieok.store.database import Query, Results
from gieok.store.sealed import SealedEarlierTurn, SealedRelationship, SealedTurn
from gieok.types import Character, UserId


@dataclass(frozen=True, slots=True)
class TurnContext:
    """The context of a turn as it was read, still sealed.

    `history` and `earlier`, the talk of other sessions that no memory covers yet, are oldest first.
    `pending` counts stored user messages of the scope that no window has taken.
    """

    cast: tuple[Character, ...]
    key: keys.StoredKey | None
    history: tuple[SealedTurn, ...]
    earlier: tuple[SealedEarlierTurn, ...]
    relationships: tuple[SealedRelationship, ...]
    assignments: operations.Assignments
    pending: int


class ContextQueries:
    """The queries that read a turn's context, to run in a batch with others."""

    def __init__(
        self,
        policy: Policy,
        user_id: UserId,
        session_id: UUID,
        client_message_id: str,
        before: int | None = None,
    ) -> None:
        """`client_message_id` is the turn's own; what came before it ends at `before`."""
        self._cast = sessions.read_cast(user_id, session_id)
        self._key = keys.read_user_key(user_id)
        self._history = turns.read_history(
            user_id, session_id, client_message_id, policy.chat.history_turns, before
        )
        keep = policy.retention.raw_messages
        self._earlier = turns.read_earlier_talk(
            user_id, session_id, policy.chat.earlier_turns, keep, before
        )
        self._relationships = memories.read_relationships(user_id, session_id)
        self._assignments = operations.read_assignments()
        self._pending = turns.count_pending(user_id, session_id)

    @property
    def all(self) -> Sequence[Query[object]]:
        """The queries, in no order that matters."""
        return (
            self._cast,
            self._key,
            self._history,
            self._earlier,
            self._relationships,
            self._assignments,
            self._pending,
        )

    def key(self, got: Results) -> keys.StoredKey | None:
        """The user's key alone, where a batch found no turn to answer."""
        return got[self._key]

    def read(self, got: Results) -> TurnContext:
        """The context in a batch's results."""
        return TurnContext(
            cast=tuple(got[self._cast]),
            key=got[self._key],
            history=tuple(got[self._history]),
            earlier=tuple(got[self._earlier]),
            relationships=tuple(got[self._relationships]),
            assignments=got[self._assignments],
            pending=got[self._pending],
        )
