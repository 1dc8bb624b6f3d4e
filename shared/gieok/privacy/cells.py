"""Where ciphertexts live, and how sealed rows open: the only place that names cells."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple
from typing import Literal, TypeVar
from uuid import UUID

import msgspec

from gieok.errors import DecryptionFailed
from gieok.ids import new_id
from gieok.privacy.cipher import Cell, UserCipher
from gieok.privacy.open_or_drop import open_or_drop
from gieok.store.sealed import (
    NewRelationship,
    SealedEarlierTurn,
    SealedFact,
    SealedMemory,
    SealedMessage,
    SealedRelationship,
    SealedTurn,
)
from gieok.types import (
    EarlierTurn,
    Fact,
    KeyDetail,
    Memory,
    Message,
    Relationship,
    RelationshipState,
    Turn,
)

T = TypeVar("T")
_DETAILS = msgspec.json.Decoder(
    tuple[tuple[Literal["quote", "action"], str, str, str, str | None], ...]
)
_RELATIONSHIP = msgspec.json.Decoder(Relationship)


def message_cell(message_id: UUID) -> Cell:
    """Where a message's text lives."""
    return Cell("chat.messages", "body", message_id)


def summary_cell(memory_id: UUID) -> Cell:
    """Where a memory's summary lives."""
    return Cell("memory.memories", "summary", memory_id)


def earlier_summary_cell(memory_id: UUID, version: int) -> Cell:
    """Where what a memory said before an edit lives: its row is one version of one memory."""
    return Cell("memory.memory_versions", f"summary {version}", memory_id)


def details_cell(memory_id: UUID) -> Cell:
    """Where a memory's key details live."""
    return Cell("memory.memories", "details", memory_id)


def asked_as_cell(memory_id: UUID) -> Cell:
    """Where the allusions to a memory live, one to a line."""
    return Cell("memory.memories", "asked_as", memory_id)


def relationship_cell(version_id: UUID) -> Cell:
    """Where a version of a relationship state lives."""
    return Cell("memory.relationship_versions", "body", version_id)


def fact_cell(fact_id: UUID) -> Cell:
    """Where a fact's name, text and quote live."""
    return Cell("memory.facts", "content", fact_id)


def open_message(cipher: UserCipher, sealed: SealedMessage, names: Mapping[UUID, str]) -> Message:
    """Decrypt a message. Raises `DecryptionFailed`."""
    speaker = names.get(sealed.character_id, "") if sealed.character_id else ""
    text = cipher.open(message_cell(sealed.id), sealed.body)
    return Message(sealed.id, sealed.role, speaker, text, sealed.created_at)


def open_turns(
    cipher: UserCipher, sealed: Iterable[SealedTurn], names: Mapping[UUID, str]
) -> tuple[Turn, ...]:
    """Decrypt turns; one that cannot be read is dropped and counted."""
    turns = (
        open_or_drop("turn", _open_turn, cipher, turn, names, message_id=turn.user.id)
        for turn in sealed
    )
    return tuple(turn for turn in turns if turn)


def _open_turn(cipher: UserCipher, sealed: SealedTurn, names: Mapping[UUID, str]) -> Turn:
    user = open_message(cipher, sealed.user, names)
    return Turn(user, open_message(cipher, sealed.reply, names) if sealed.reply else None)


def open_earlier_talk(
    cipher: UserCipher, sealed: Iterable[SealedEarlierTurn]
) -> tuple[EarlierTurn, ...]:
    """Decrypt turns of other sessions; one that cannot be read is dropped and counted."""
    return tuple(
        EarlierTurn(turn, tuple(earlier.names.values()))
        for earlier in sealed
        for turn in open_turns(cipher, [earlier.sealed], earlier.names)
    )


def open_memory(cipher: UserCipher, sealed: SealedMemory) -> Memory:
    """Decrypt a memory. Raises `DecryptionFailed`."""
    details = cipher.open(details_cell(sealed.id), sealed.details)
    return Memory(
        id=sealed.id,
        summary=cipher.open(summary_cell(sealed.id), sealed.summary),
        details=tuple(KeyDetail(*d) for d in _decoded(_DETAILS, details)),
        importance=sealed.importance,
        involved=sealed.involved,
        began_at=sealed.began_at,
        happened_at=sealed.happened_at,
        created_at=sealed.created_at,
        pinned=sealed.pinned,
        muted=sealed.muted,
    )


def seal_details(cipher: UserCipher, memory_id: UUID, details: Iterable[KeyDetail]) -> bytes:
    """Encrypt a memory's key details, without the names of their fields."""
    text = json.dumps([astuple(d) for d in details], ensure_ascii=False)
    return cipher.seal_deflated(details_cell(memory_id), text)


def seal_summary(cipher: UserCipher, memory_id: UUID, summary: str) -> bytes:
    """Encrypt a memory's summary."""
    return cipher.seal_deflated(summary_cell(memory_id), summary)


def seal_asked_as(cipher: UserCipher, memory_id: UUID, allusions: Sequence[str]) -> bytes | None:
    """Encrypt the allusions to a memory; None when there are none."""
    text = "\n".join(allusions)
    return cipher.seal_deflated(asked_as_cell(memory_id), text) if text else None


def open_asked_as(cipher: UserCipher, memory_id: UUID, sealed: bytes | None) -> list[str]:
    """The allusions to a memory. Raises `DecryptionFailed`."""
    return cipher.open(asked_as_cell(memory_id), sealed).splitlines() if sealed else []


def open_relationship(cipher: UserCipher, sealed: SealedRelationship) -> Relationship:
    """Decrypt a relationship version. Raises `DecryptionFailed`."""
    return _decoded(_RELATIONSHIP, cipher.open(relationship_cell(sealed.id), sealed.body))


def _decoded(decoder: msgspec.json.Decoder[T], body: str) -> T:
    try:
        return decoder.decode(body)
    except msgspec.MsgspecError:
        # Not chained: the original may quote the user.
        raise DecryptionFailed("not as it was written") from None


def open_versions(
    cipher: UserCipher, sealed: Iterable[SealedRelationship], names: Mapping[UUID, str]
) -> dict[str, Relationship]:
    """Decrypt relationship versions, by character name; an unreadable one is dropped, counted."""
    opened = {names[row.character_id]: open_version(cipher, row) for row in sealed}
    return {name: version for name, version in opened.items() if version}


def open_version(cipher: UserCipher, sealed: SealedRelationship) -> Relationship | None:
    """Decrypt one relationship version; None, and counted, when it cannot be read."""
    character_id = sealed.character_id
    return open_or_drop(
        "relationship", open_relationship, cipher, sealed, character_id=character_id
    )


def open_relationships(
    cipher: UserCipher, sealed: Iterable[SealedRelationship], names: Mapping[UUID, str]
) -> dict[str, RelationshipState]:
    """The same, states alone: what a prompt shows."""
    return {n: version.state for n, version in open_versions(cipher, sealed, names).items()}


def seal_relationship(
    cipher: UserCipher, character_id: UUID, version: Relationship
) -> NewRelationship:
    """Encrypt a new version of a relationship."""
    version_id = new_id()
    body = msgspec.json.encode(version).decode()
    sealed = cipher.seal(relationship_cell(version_id), body)
    return NewRelationship(version_id, character_id, sealed)


def seal_fact(cipher: UserCipher, character_id: UUID, fact: Fact, fingerprint: bytes) -> SealedFact:
    """Encrypt a fact as one character knows it; by its fingerprint it is known again."""
    fact_id = new_id()
    content = {"name": fact.name, "text": fact.text, "quote": fact.quote}
    return SealedFact(
        id=fact_id,
        character_id=character_id,
        message_id=fact.message_id,
        category=fact.category,
        subject=fact.subject,
        reality=fact.reality,
        confidence=fact.confidence,
        content=cipher.seal(fact_cell(fact_id), json.dumps(content, ensure_ascii=False)),
        fingerprint=fingerprint,
    )
