"""Conversations cut into windows, with a model's recorded answers: read from a folder of data.

A set is `windows-<name>.json` with `answers-<name>.json` beside it. Beside these may lie
`expand-<name>.json`, `questions-<name>.json` and `rewrites-<name>.json`. A set with questions of
its own is asked those; the windows of a LoCoMo conversation are asked what LoCoMo asks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from infra.local.demo.locomo import evidence, samples


class Said(msgspec.Struct, frozen=True):
    """A message; `at` is the clock of the user's own zone."""

    id: str
    speaker: str
    text: str
    at: datetime


class Window(msgspec.Struct, frozen=True):
    """Messages that become one memory."""

    n: int
    messages: tuple[Said, ...]


class Expansion(msgspec.Struct, frozen=True):
    """What a model adds to a window for the search: related terms and allusions."""

    asked_as: tuple[str, ...]
    terms: tuple[str, ...]


class Rewrite(msgspec.Struct, frozen=True):
    """A question as a model restates it."""

    statements: tuple[str, ...]
    terms: tuple[str, ...]


class Question(msgspec.Struct, frozen=True):
    """A question with the ids of the messages that answer it; a trap has none.

    `stale` are the ids of messages whose content no longer holds.
    """

    question: str
    evidence: tuple[str, ...]
    stale: tuple[str, ...] = ()
    kind: str = ""
    trap: bool = False


@dataclass(frozen=True, slots=True)
class WindowSet:
    """One user's talk with one character. `answers` and `expansions` are by the window's number."""

    name: str
    character: str
    windows: tuple[Window, ...]
    answers: Mapping[int, msgspec.Raw]
    expansions: Mapping[int, Expansion]
    questions: tuple[Question, ...]
    rewrites: Mapping[str, Rewrite]

    def windows_of(self, message_ids: tuple[str, ...]) -> tuple[str, ...]:
        """The keys of the windows that hold the messages, each once. Raises `KeyError`."""
        holders = {m.id: self.key(w) for w in self.windows for m in w.messages}
        return tuple(dict.fromkeys(holders[id] for id in message_ids))

    def key(self, window: Window) -> str:
        """A window's name among the windows of all sets."""
        return f"{self.name}:{window.n}"


class _Windows(msgspec.Struct, frozen=True):
    sample: str
    character: str
    windows: tuple[Window, ...]


class _Answers(msgspec.Struct, frozen=True):
    answers: dict[int, msgspec.Raw]


def own_questions(data: Path) -> list[WindowSet]:
    """The sets below the folder that bring questions of their own, by name."""
    return [_read(p, _own(p)) for p in _files(data) if _beside(p, "questions").is_file()]


def of_locomo(data: Path, locomo: Path) -> list[WindowSet]:
    """The sets below the folder that are LoCoMo conversations, with its questions, by name.

    `locomo` is the file of LoCoMo. Asked are the questions of categories 1 to 4 all of whose
    evidence lies in the windows.
    """
    paths = [p for p in _files(data) if not _beside(p, "questions").is_file()]
    asked = _asked_of_locomo(locomo) if paths else {}
    return [_of_sample(_read(path, ()), asked) for path in paths]


def _files(data: Path) -> list[Path]:
    return sorted(p for p in data.rglob("windows-*.json") if _beside(p, "answers").is_file())


def _beside(path: Path, what: str) -> Path:
    return path.with_name(path.name.replace("windows", what, 1))


def _own(path: Path) -> tuple[Question, ...]:
    return msgspec.json.decode(_beside(path, "questions").read_bytes(), type=tuple[Question, ...])


def _read(path: Path, questions: tuple[Question, ...]) -> WindowSet:
    talk = msgspec.json.decode(path.read_bytes(), type=_Windows)
    answers = msgspec.json.decode(_beside(path, "answers").read_bytes(), type=_Answers)
    return WindowSet(
        name=talk.sample,
        character=talk.character,
        windows=talk.windows,
        answers=answers.answers,
        expansions=_mapping(_beside(path, "expand"), dict[int, Expansion]),
        questions=questions,
        rewrites=_mapping(_beside(path, "rewrites"), dict[str, Rewrite]),
    )


M = TypeVar("M")


def _mapping(path: Path, form: type[M]) -> M:
    return msgspec.json.decode(path.read_bytes() if path.is_file() else b"{}", type=form)


def _asked_of_locomo(path: Path) -> dict[str, list[Question]]:
    """Of each conversation, the questions that have an answer."""
    found = {}
    for sample in samples(path):
        turns = {t.dia_id: t for number in sample.sessions for t in sample.turns(number)}
        asked = ((one, evidence(one, turns)) for one in sample.qa)
        found[sample.sample_id] = [
            Question(one.question, ids, kind=str(one.category)) for one, ids in asked if ids
        ]
    return found


def _of_sample(found: WindowSet, asked: Mapping[str, list[Question]]) -> WindowSet:
    ids = {m.id for w in found.windows for m in w.messages}
    questions = tuple(q for q in asked[found.name] if ids.issuperset(q.evidence))
    return replace(found, questions=questions)
