"""Queries of facts."""

from collections.abc import Iterable
from uuid import UUID

from psycopg.types.json import Jsonb

from gieok.store.database import Query
from gieok.store.sealed import SealedFact
from gieok.types import UserId


def save_facts(user_id: UserId, memory_id: UUID, facts: Iterable[SealedFact]) -> Query[None]:
    """Write the facts of a window whose memory was written; known ones are left as they are."""
    rows = [
        {
            "id": str(f.id),
            "character_id": str(f.character_id),
            "message_id": str(f.message_id),
            "category": f.category,
            "subject": f.subject,
            "reality": f.reality,
            "confidence": f.confidence,
            "content": f.content.hex(),
            "fingerprint": f.fingerprint.hex(),
        }
        for f in facts
    ]
    params = {"user_id": user_id, "memory_id": memory_id, "facts": Jsonb(rows)}
    return Query("save_facts", params, lambda rows: None)
