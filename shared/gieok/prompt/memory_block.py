"""The block of past memories: which lines fit, in which order they stand, and how to read it back.

Rank decides what is in, time decides where it stands. What came from a user is fenced.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from gieok.prompt import fence, tokens
from gieok.prompt.packs.by_locale import CHAT_TEXT
from gieok.prompt.packs.pack import ChatText
from gieok.prompt.relative_time import ago
from gieok.types import KeyDetail, Locale, Memory, Recalled

DETAIL_STEP = 4
"""Ranks by which each detail of a memory is worth less than the line before it: the first one is
worth as much as the summary of the memory so many ranks below. The number is ours.

If memories went in whole, half of a dozen would not fit the budget; if all summaries went in first,
no quote ever would.
"""

_EMPTY_FENCE = tokens.estimate(fence.wrap("memories", [fence.Item("")]))
"""Tokens of a fence around nothing; they are the same for any code."""
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
    """What a block is written for. `several` says whether two or more characters take part."""

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

    With nothing to show it says that nothing is remembered. A line too long for the whole room is
    left out. Of the others those worth least are cut, a memory's details before its summary.
    """
    intro = _opening(frame, frame.text.remembered)
    fitting = _fitting(memories, frame, room - _EMPTY_FENCE - tokens.estimate(intro))
    if not fitting:
        return MemoryBlock(_opening(frame, frame.text.nothing_remembered), (), ())
    by_time = sorted(fitting, key=lambda rank: _age(memories[rank].memory))
    lines = (line for rank in by_time for piece in fitting[rank] for line in piece.lines)
    shown = tuple(memories[rank] for rank in fitting)
    costs = tuple(sum(p.cost for p in pieces) for pieces in fitting.values())
    return MemoryBlock(f"{intro}\n{fence.enclose('memories', lines)}", shown, costs)


def read_memory_lines(section_text: str) -> list[MemoryLine]:
    """Read the memories of a block that `write` made, as it shows them, oldest first."""
    return [_read(item) for item in fence.unwrap(section_text)]


def _opening(frame: Frame, what: str) -> str:
    now, text = frame.now.astimezone(frame.zone), frame.text
    clock = text.now.format(
        date=f"{now:%Y-%m-%d}", weekday=text.weekdays[now.weekday()], time=f"{now:%H:%M}"
    )
    return f"{text.memories_title}\n{clock}\n{what}"


def _age(memory: Memory) -> tuple[datetime, datetime, bytes]:
    return memory.happened_at, memory.created_at, memory.id.bytes


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines that are in or out together: a summary with the names of those who know of it
    (depth 0), or one detail."""

    rank: int
    depth: int
    lines: tuple[fence.Line, ...]
    cost: int


def _fitting(memories: Sequence[Recalled], frame: Frame, room: int) -> dict[int, list[_Piece]]:
    """The pieces of each memory that fit, by its rank, best first. A memory whose summary does not
    fit is left out."""
    fitting: dict[int, list[_Piece]] = {}
    left = room
    for piece in _pieces(memories, frame):
        if piece.cost > room:
            continue
        left -= piece.cost
        if left < 0:
            break
        if piece.depth == 0:
            fitting[piece.rank] = [piece]
        elif piece.rank in fitting:
            fitting[piece.rank].append(piece)
    return fitting


def _pieces(memories: Sequence[Recalled], frame: Frame) -> Iterator[_Piece]:
    """All lines there are to show, those of most worth first; each is written only when it is asked
    for."""
    by_worth = sorted(
        (rank + DETAIL_STEP * depth, depth, rank)
        for rank, recalled in enumerate(memories)
        for depth in range(1 + len(recalled.memory.details))
    )
    for _, depth, rank in by_worth:
        memory = memories[rank].memory
        lines = (_detail(memory.details[depth - 1], frame),) if depth else _summary(memory, frame)
        yield _Piece(rank, depth, lines, sum(tokens.estimate(f"{line}\n") for line in lines))


def _summary(memory: Memory, frame: Frame) -> tuple[fence.Line, ...]:
    when = ago(memory.happened_at, frame.now, frame.zone, frame.locale)
    summary = fence.head_line(f"({when}) {memory.summary}")
    involved = ", ".join(memory.involved) if frame.several else ""
    if not involved:
        return (summary,)
    return summary, fence.sub_line(f"[{frame.text.involved}: {involved}]")


def _detail(detail: KeyDetail, frame: Frame) -> fence.Line:
    who = frame.text.user if detail.who == "user" else detail.who
    if detail.character and frame.several:
        who = f"{who} → {detail.character}"
    form = frame.text.said if detail.kind == "quote" else frame.text.did
    line = form.format(who=who, text=fence.one_line(detail.text))
    return fence.sub_line(f"{line} ({detail.context})" if detail.context else line)


def _read(item: fence.Item) -> MemoryLine:
    head = _HEAD.fullmatch(item.head)
    when, summary = (head["when"], head["summary"] or "") if head else ("", item.head)
    known_by = item.lines[:1] if item.lines and item.lines[0].startswith("[") else ()
    return MemoryLine(when, summary, item.lines[len(known_by) :])
