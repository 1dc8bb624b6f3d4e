"""What windows leave besides memories: answers that give it, and what is kept of it."""

import json
from typing import Any
from uuid import UUID

from gieok.calls import StructuredPrompt
from gieok.privacy.cells import fact_cell
from gieok.privacy.ciphers import cipher_of
from gieok.relationship.corrections import History, read_relationship
from gieok.store import keys
from gieok.types import UserId
from tests.support.world import World, extraction


async def memory_ids(world: World, user: UserId, character: UUID) -> list[UUID]:
    """A user's memories of a character, oldest first."""
    rows = await world.sql(
        "SELECT m.id FROM memory.memories m JOIN memory.memory_characters mc ON mc.memory_id = m.id"
        " WHERE m.user_id = %s AND mc.character_id = %s ORDER BY m.first_position",
        user,
        character,
    )
    return [memory_id for (memory_id,) in rows]


async def counts(world: World, user: UserId) -> tuple[int, int]:
    """(relationship versions, facts) of a user that stand."""
    ((versions, known),) = await world.sql(
        "SELECT (SELECT count(*) FROM memory.relationship_versions"
        "        WHERE user_id = %s AND invalidated_at IS NULL),"
        " (SELECT count(*) FROM memory.facts WHERE user_id = %s AND invalidated_at IS NULL)",
        user,
        user,
    )
    return versions, known


def fact(text: str, said: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A fact of the user's in a message as the extraction call shows it."""
    whole = {
        "category": "preference",
        "subject": {"kind": "user", "name": ""},
        "reality": "real",
        "text": text,
        "quote": said["text"],
        "message_id": said["id"],
        "confidence": 0.9,
    }
    return whole | changes


def stating(prompt: StructuredPrompt, text: str, **changes: Any) -> str:
    """An answer with one fact, in the user's last words."""
    said = [m for m in json.loads(prompt.payload)["messages"] if m["speaker"] == "user"]
    return extraction(prompt, facts=[fact(text, said[-1], **changes)])


def known(prompt: StructuredPrompt) -> dict[str, Any]:
    """The state that an extraction call shows of 하루."""
    shown: dict[str, Any] | None = json.loads(prompt.payload)["relationship_state"]["하루"]
    return shown or NOTHING


def moving(prompt: StructuredPrompt, words: str = "", **fields: Any) -> str:
    """An answer that changes fields of every state shown, by the last words of the user."""
    payload = json.loads(prompt.payload)
    words = words or [m["text"] for m in payload["messages"] if m["speaker"] == "user"][-1]
    changes = [{"field": f, "speaker": "user", "quote": words} for f in fields]
    states = [
        {
            **(shown or NOTHING),
            "speech_level": (shown or NOTHING)["speech_level"] or None,
            "character": name,
            "changes": changes,
            **fields,
        }
        for name, shown in payload["relationship_state"].items()
    ]
    return extraction(prompt, relationship_states=states)


NOTHING: dict[str, Any] = {
    "user_called": "",
    "character_called": "",
    "speech_level": "",
    "standing": "",
    "promises": [],
    "boundaries": [],
    "affection": 0,
}


async def known_facts(world: World, user: UserId) -> list[dict[str, Any]]:
    """Every fact of a user that stands, with its content decrypted."""
    rows = await world.sql(
        "SELECT id, character_id, memory_id, message_id, category, subject, reality, content"
        " FROM memory.facts WHERE user_id = %s AND invalidated_at IS NULL ORDER BY id",
        user,
    )
    names = ("character_id", "memory_id", "message_id", "category", "subject", "reality")
    key = keys.read_user_key(user)
    engine = world.engine
    stored = (await engine.database.run(user, key))[key]
    cipher = await cipher_of(engine.database, engine.keyring, user, stored)
    return [
        dict(zip(names, row, strict=True))
        | json.loads(cipher.open(fact_cell(fact_id), bytes(content)))
        for fact_id, *row, content in rows
    ]


async def stand(world: World, user: UserId, character: UUID) -> History:
    """The relationship with all its versions."""
    return await read_relationship(world.engine, user, character, None, 50)
