"""MADial-Bench, English: the last turns of a dialogue, and the memories it should bring back."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from gieok.policy import RecallPolicy
from tests.eval.house import House, Known
from tests.eval.scores import Answered

LAST_TURNS = 2
"""Of the dialogue, what is searched for."""


class _Dialogue(msgspec.Struct, rename="kebab", frozen=True):
    dialogue: tuple[str, ...]
    test_turn: tuple[int, ...]
    relevant_id: tuple[int, ...]
    user_id: int


class _Event(msgspec.Struct, frozen=True):
    time: str
    event: str


class _Owned(msgspec.Struct, rename="kebab", frozen=True):
    user_id: int


async def answer(house: House, folder: Path, policy: RecallPolicy) -> list[Answered]:
    """What each dialogue recalls of its own user's memories: every user is a pair."""
    owners = _rows(folder / "MADial-Bench-zh-memory.json", _Owned)
    events = _rows(folder / "MADial-Bench-en-memory.json", _Event)
    dialogues = _dialogues(folder / "MADial-Bench-en-dialogue.json")
    house.prepare(map(_asked, dialogues), "madial dialogues")
    answered = []
    for user in sorted({owner.user_id for owner in owners.values()}):
        own = {key: event for key, event in events.items() if owners[key].user_id == user}
        pair = await house.learn(f"madial-{user}", _memories(own))
        for dialogue in dialogues:
            needed = tuple(key for key in map(str, dialogue.relevant_id) if key in own)
            if dialogue.user_id == user and needed:
                recalled = await house.recall(pair, _asked(dialogue), policy)
                answered.append(Answered(needed, tuple(recalled)))
    return answered


Row = TypeVar("Row", _Event, _Owned)


def _rows(path: Path, form: type[Row]) -> dict[str, Row]:
    """Memories by id. Only the Chinese file says whose each is; both have the same ids."""
    lines = path.read_text().splitlines()
    return {
        key: row
        for line in lines
        for key, row in msgspec.json.decode(line, type=dict[str, form]).items()  # type: ignore[valid-type]  # the caller's struct
    }


def _dialogues(path: Path) -> list[_Dialogue]:
    return [msgspec.json.decode(line, type=_Dialogue) for line in path.read_text().splitlines()]


def _memories(events: dict[str, _Event]) -> list[Known]:
    """Oldest first. The set knows days only, so those of one day are one sitting."""
    found = [Known(key, e.event, (e.event,), _day(e.time)) for key, e in events.items()]
    return sorted(found, key=lambda memory: memory.happened_at)


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _asked(dialogue: _Dialogue) -> str:
    """The turns just before the one that is to remember, without their speakers' names."""
    before = dialogue.dialogue[1 : dialogue.test_turn[0]]
    return "\n".join(_said(turn) for turn in before[-LAST_TURNS:])


def _said(turn: str) -> str:
    return re.sub(r"^<[^>]*>:\s*", "", turn).strip().strip('"')
