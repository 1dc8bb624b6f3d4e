"""Characters, memories, turns and answers for tests of prompts and extraction."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from gieok.extraction.window_context import WindowContext
from gieok.policy import PromptBudget
from gieok.prompt.assemble import Assembled, assemble
from gieok.relationship.rules import FIELDS
from gieok.types import (
    Character,
    EarlierTurn,
    Explanation,
    KeyDetail,
    Locale,
    Memory,
    Message,
    Recalled,
    Relationship,
    RelationshipState,
    Role,
    Slot,
    Turn,
)

NOW = datetime(2026, 11, 30, 6, 20, tzinfo=UTC)
"""15:20 on a Monday in Seoul."""


def character(name: str = "하늘", persona: str = "별을 세는 친구.", **more: str) -> Character:
    return Character(
        id=uuid4(),
        name=name,
        persona=persona,
        greeting=more.get("greeting", ""),
        speech_rules=more.get("speech_rules", ""),
        fallback_line="…",
        locale="ko",
    )


def memory(
    summary: str = "지은이 위스키를 선물받았다.",
    days: float = 3,
    details: Sequence[KeyDetail] = (),
    involved: Sequence[str] = ("하늘",),
    began: float | None = None,
    slot: Slot = "fused",
) -> Recalled:
    """A recalled memory whose window ended so many days ago, and `began` as many."""
    then = NOW - timedelta(days=days)
    kept = Memory(
        id=uuid4(),
        summary=summary,
        details=tuple(details),
        importance=5,
        involved=tuple(involved),
        began_at=then if began is None else NOW - timedelta(days=began),
        happened_at=then,
        created_at=then,
    )
    return Recalled(kept, Explanation(slot, 1, 1))


def quote(text: str, who: str = "user", character: str | None = None) -> KeyDetail:
    return KeyDetail("quote", who, text, character=character)


def message(
    text: str, role: Role = "user", speaker: str = "", at: datetime = NOW, id: UUID | None = None
) -> Message:
    return Message(id or uuid4(), role, speaker, text, at)


def context_of(
    messages: Sequence[Message],
    cast: Sequence[str] = ("하늘",),
    relationships: Mapping[str, Relationship] | None = None,
    *,
    locale: Locale = "ko",
    time_zone: str = "Asia/Seoul",
    zones: Mapping[UUID, str] | None = None,
) -> WindowContext:
    """A window of these messages with a cast."""
    shown = relationships or {}
    return WindowContext(tuple(cast), tuple(messages), time_zone, locale, shown, zones or {})


def turn(text: str, reply: str | None = "그랬구나.") -> Turn:
    answer = message(reply, "assistant", "하늘") if reply is not None else None
    return Turn(message(text), answer)


def earlier(
    text: str,
    reply: str | None = "그랬구나.",
    minutes: float = 10,
    involved: Sequence[str] = ("하늘",),
) -> EarlierTurn:
    """A turn of another conversation, answered by the first of those who were there."""
    then = NOW - timedelta(minutes=minutes)
    said = message(text, at=then)
    answer = message(reply, "assistant", involved[0], then) if reply is not None else None
    return EarlierTurn(Turn(said, answer), tuple(involved))


def assembled(
    *memories: Recalled,
    cast: Sequence[Character] | None = None,
    states: dict[str, RelationshipState] | None = None,
    turns: Sequence[Turn] = (),
    earlier: Sequence[EarlierTurn] = (),
    text: str = "내가 뭐 받았는지 기억해?",
    now: datetime = NOW,
    locale: Locale = "ko",
    budget: PromptBudget | None = None,
) -> Assembled:
    return assemble(
        characters=cast or [character()],
        relationships=states or {},
        memories=memories,
        turns=turns,
        earlier=earlier,
        message=text,
        now=now,
        time_zone="Asia/Seoul",
        locale=locale,
        budget=budget or PromptBudget(),
    )


def section(made: Assembled, name: str) -> str:
    """The text of a section, or "" when the prompt has none of that name."""
    return next((s.text for s in made.prompt.sections if s.name == name), "")


def answer(**changes: object) -> str:
    """A model's good answer to the extraction call, with changes; None leaves a field out."""
    whole: dict[str, object] = {
        "worth_keeping": True,
        "summary": "지은이 싱글몰트 위스키를 선물받았다.",
        "importance": 5,
        "key_details": [detail("위스키 선물 받았어")],
        "search_terms": ["위스키", "선물"],
        "facts": [],
        "relationship_states": [],
    }
    return json.dumps(
        {k: v for k, v in (whole | changes).items() if v is not None}, ensure_ascii=False
    )


def detail(text: str, **changes: object) -> dict[str, object]:
    whole: dict[str, object] = {
        "kind": "quote",
        "who": "user",
        "character": "하늘",
        "text": text,
        "context": "",
    }
    return whole | changes


def state(**changes: object) -> dict[str, object]:
    whole: dict[str, object] = {
        "character": "하늘",
        "user_called": "지은",
        "character_called": "하늘이",
        "speech_level": "반말",
        "standing": "친한 친구",
        "promises": ["같이 별 보기"],
        "boundaries": [],
        "affection": 5,
        "changes": [change(field) for field in FIELDS],
    }
    return whole | changes


def change(field: str, quote: str = "고마워 하늘아", speaker: str = "user") -> dict[str, object]:
    """The words behind a change of a field."""
    return {"field": field, "speaker": speaker, "quote": quote}


def fact(text: str = "사용자는 위스키를 선물받았다.", **changes: object) -> dict[str, object]:
    """A fact of the user's, with changes."""
    whole: dict[str, object] = {
        "category": "event",
        "subject": {"kind": "user", "name": ""},
        "reality": "real",
        "text": text,
        "quote": "위스키 선물 받았어",
        "message_id": "",
        "confidence": 0.9,
    }
    return whole | changes
