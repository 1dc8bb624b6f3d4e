"""Where ciphertexts live, and how sealed rows open: the only place that names cells."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from uuid import UUID

from gieok import telemetry
from gieok.crypto import Cell, UserCipher
from gieok.errors import DecryptionFailed
from gieok.ids import new_id
from gieok.relationship import from_json, to_json
from gieok.sealed import SealedMemory, SealedMessage, SealedRelationship, SealedTurn
from gieok.types import KeyDetail, Memory, Message, RelationshipState, Turn


def message_cell(message_id: UUID) -> Cell:
    """Where a message's text lives."""
    return Cell("chat.messages", "body", message_id)


def summary_cell(memory_id: UUID) -> Cell:
    """Where a memory's summary lives."""
    return Cell("memory.memories", "summary", memory_id)


def details_cell(memory_id: UUID) -> Cell:
    """Where a memory's key details live."""
    return Cell("memory.memories", "details", memory_id)


def relationship_cell(version_id: UUID) -> Cell:
    """Where a version of a relationship state lives; the cell keeps its table's first name."""
    return Cell("memory.relationship_states", "body", version_id)


def open_message(cipher: UserCipher, sealed: SealedMessage, names: Mapping[UUID, str]) -> Message:
    """Decrypt a message. Raises `DecryptionFailed`."""
    speaker = names.get(sealed.character_id, "") if sealed.character_id else ""
    text = cipher.open(message_cell(sealed.id), sealed.body)
    return Message(sealed.id, sealed.role, speaker, text, sealed.created_at)


def open_turns(
    cipher: UserCipher, sealed: Iterable[SealedTurn], names: Mapping[UUID, str]
) -> tuple[Turn, ...]:
    """Decrypt turns; one that cannot be read is dropped and counted."""
    turns = []
    for turn in sealed:
        try:
            user = open_message(cipher, turn.user, names)
            reply = open_message(cipher, turn.reply, names) if turn.reply else None
        except DecryptionFailed:
            telemetry.setback("undecryptable_turn", message_id=str(turn.user.id))
            continue
        turns.append(Turn(user, reply))
    return tuple(turns)


def open_memory(cipher: UserCipher, sealed: SealedMemory) -> Memory:
    """Decrypt a memory. Raises `DecryptionFailed`."""
    details = json.loads(cipher.open(details_cell(sealed.id), sealed.details))
    return Memory(
        id=sealed.id,
        summary=cipher.open(summary_cell(sealed.id), sealed.summary),
        details=tuple(KeyDetail(**d) for d in details),
        importance=sealed.importance,
        involved=sealed.involved,
        happened_at=sealed.happened_at,
        created_at=sealed.created_at,
        pinned=sealed.pinned,
        muted=sealed.muted,
    )


def seal_details(cipher: UserCipher, memory_id: UUID, details: Iterable[KeyDetail]) -> bytes:
    """Encrypt a memory's key details."""
    text = json.dumps([asdict(d) for d in details], ensure_ascii=False)
    return cipher.seal(details_cell(memory_id), text)


def open_relationships(
    cipher: UserCipher, sealed: Iterable[SealedRelationship], names: Mapping[UUID, str]
) -> dict[str, RelationshipState]:
    """Decrypt relationship states, by character name; an unreadable one is dropped and counted."""
    states = {}
    for row in sealed:
        try:
            text = cipher.open(relationship_cell(row.id), row.body)
            states[names[row.character_id]] = from_json(text.encode())
        except DecryptionFailed:
            telemetry.setback("undecryptable_relationship", character_id=str(row.character_id))
    return states


def seal_relationship(
    cipher: UserCipher, character_id: UUID, version: int, state: RelationshipState
) -> SealedRelationship:
    """Encrypt a new version of a relationship state."""
    version_id = new_id()
    body = cipher.seal(relationship_cell(version_id), to_json(state).decode())
    return SealedRelationship(version_id, character_id, version, body)
