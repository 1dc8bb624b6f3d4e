"""The block of past memories: which lines fit, in which order they stand, and how to read it back.

Rank decides what is in, time decides where it stands. What came from a user is fenced.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from zoneinfo import ZoneInfo

from gieok import fence, tokens
from gieok.prompts.chat import CHAT_TEXT
from gieok.prompts.pack import ChatText
from gieok.relative_time import ago
from gieok.types import KeyDetail, Locale, Memory, Recalled

DETAIL_STEP = 4
"""A memory's next detail is worth as much as the summary this many ranks below it; ours.

Whole memories alone would leave half of a dozen out of the budget; summaries alone would never let
a quote in.
"""

_HEAD = re.compile(r"\((?P<when>[^)]*)\)(?: (?P<summary>.*))?")


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """The block's text and the memories that are in it, best first.

    `costs` are the tokens of each, in the same order, by `tokens.estimate`.
    """

    text: str
    shown: tuple[Recalled, ...]
    costs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """A memory as the block shows it; `sub_lines` are its quotes and actions."""

    when: str
    summary: str
    sub_lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """What a block is written for. `several` is whether two or more characters take part."""

    now: datetime
    zone: ZoneInfo
    locale: Locale
    several: bool

    @property
    def text(self) -> ChatText:
        """The fixed text in the block's language."""
        return CHAT_TEXT[self.locale]


def write(memories: Sequence[Recalled], frame: Frame, room: int) -> MemoryBlock:
    """The block for memories given best first, in at most about `room` tokens.

    With nothing to show it says that nothing is remembered. A summary too long for the whole room
    never fits; else lines are cut from the least worth up, a memory's details before its summary.
    """
    intro = _intro(frame)
    room -= tokens.estimate(fence.wrap("memories", [fence.Item("")])) + tokens.estimate(intro)
    fitting = _fitting([_entry(r.memory, frame) for r in memories], room)
    if not fitting:
        return MemoryBlock(_opening(frame, frame.text.nothing_remembered), (), ())
    by_time = sorted(fitting, key=lambda rank: _age(memories[rank].memory))
    block = fence.wrap("memories", [fitting[rank] for rank in by_time])
    costs = tuple(_cost(fence.rendered(fitting[rank])) for rank in sorted(fitting))
    shown = tuple(memories[rank] for rank in sorted(fitting))
    return MemoryBlock(f"{intro}\n{block}", shown, costs)


def read_memory_lines(section_text: str) -> list[MemoryLine]:
    """The memories of a block that `write` made, as shown: oldest first; none when none are in."""
    return [_read(item) for item in fence.unwrap(section_text)]


def _intro(frame: Frame) -> str:
    return _opening(frame, frame.text.remembered)


def _opening(frame: Frame, what: str) -> str:
    now, text = frame.now.astimezone(frame.zone), frame.text
    clock = text.now.format(
        date=f"{now:%Y-%m-%d}", weekday=text.weekdays[now.weekday()], time=f"{now:%H:%M}"
    )
    return f"{text.memories_title}\n{clock}\n{what}"


def _age(memory: Memory) -> tuple[datetime, datetime, bytes]:
    return memory.happened_at, memory.created_at, memory.id.bytes


@dataclass(frozen=True, slots=True)
class _Entry:
    """A memory's summary with what always stands below it, and the details that may."""

    item: fence.Item
    details: tuple[str, ...]


def _entry(memory: Memory, frame: Frame) -> _Entry:
    when = ago(memory.happened_at, frame.now, frame.zone, frame.locale)
    involved = ", ".join(memory.involved) if frame.several else ""
    known_by = (f"[{frame.text.involved}: {involved}]",) if involved else ()
    details = tuple(_detail(d, frame) for d in memory.details)
    return _Entry(fence.Item(f"({when}) {memory.summary}", known_by), details)


def _detail(detail: KeyDetail, frame: Frame) -> str:
    who = frame.text.user if detail.who == "user" else detail.who
    if detail.character and frame.several:
        who = f"{who} → {detail.character}"
    form = frame.text.said if detail.kind == "quote" else frame.text.did
    line = form.format(who=who, text=fence.one_line(detail.text))
    return f"{line} ({detail.context})" if detail.context else line


def _fitting(entries: Sequence[_Entry], room: int) -> dict[int, fence.Item]:
    """By rank, what of each memory fits; one whose summary does not is left out."""
    pieces = sorted(piece for rank, e in enumerate(entries) for piece in _pieces(rank, e))
    possible = [p for p in pieces if p.cost <= room]
    totals = accumulate(p.cost for p in possible)
    taken = {(p.rank, p.depth) for p, total in zip(possible, totals, strict=True) if total <= room}
    return {
        rank: fence.Item(entry.item.head, entry.item.lines + tuple(_taken(rank, entry, taken)))
        for rank, entry in enumerate(entries)
        if (rank, 0) in taken
    }


@dataclass(frozen=True, slots=True, order=True)
class _Piece:
    worth: int
    """Least first."""
    depth: int
    """0 for the summary, then its details."""
    rank: int
    cost: int


def _pieces(rank: int, entry: _Entry) -> Iterator[_Piece]:
    yield _Piece(rank, 0, rank, _cost(fence.rendered(entry.item)))
    for depth, detail in enumerate(entry.details, 1):
        cost = _cost([*fence.rendered(fence.Item("", (detail,)))][1:])
        yield _Piece(rank + DETAIL_STEP * depth, depth, rank, cost)


def _cost(lines: Iterable[str]) -> int:
    return sum(tokens.estimate(line + "\n") for line in lines)


def _taken(rank: int, entry: _Entry, taken: set[tuple[int, int]]) -> Iterator[str]:
    return (d for depth, d in enumerate(entry.details, 1) if (rank, depth) in taken)


def _read(item: fence.Item) -> MemoryLine:
    head = _HEAD.fullmatch(item.head)
    when, summary = (head["when"], head["summary"] or "") if head else ("", item.head)
    known_by = item.lines[:1] if item.lines and item.lines[0].startswith("[") else ()
    return MemoryLine(when, summary, item.lines[len(known_by) :])
