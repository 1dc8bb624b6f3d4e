"""The block of past memories: which lines fit, in which order they stand, and how to read it back.

Rank decides what is in, time decides where it stands. What came from a user is fenced.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import accumulate
from typing import Literal, NamedTuple
from zoneinfo import ZoneInfo

from gieok.prompt import fence, tokens
from gieok.prompt.packs.by_locale import CHAT_TEXT
from gieok.prompt.packs.pack import ChatText
from gieok.prompt.relative_time import ago, days
from gieok.prompt.shorten import shares, shortened
from gieok.types import KeyDetail, Locale, Memory, Recalled

LEAST_SUMMARY = 65
"""Tokens that a summary is given at least, or the memory is left out: the median of the first
sentences that a strong model writes, by `tokens.estimate` (42 in Korean, 65 in English). With it a
dozen memories need about a third of the default budget."""

SummaryShown = Literal["whole", "shortened", "left_out"]
"""What of a memory's summary is in the block; without its summary a memory is left out."""

_EMPTY_FENCE = tokens.estimate(fence.wrap("memories", [fence.Item("")]))
"""Tokens of a fence around nothing; they are the same for any code."""
_HEAD = re.compile(r"\((?P<when>[^),]*)(?:, (?P<days>[^)]*))?\)(?: (?P<summary>.*))?")


@dataclass(frozen=True, slots=True)
class Shown:
    """What of a recalled memory is in the block.

    `details_cut` of its quotes and actions are not. It takes `tokens`, by `tokens.estimate`; with
    all that it says it would take `tokens_whole`. What is missing found no room.
    """

    recalled: Recalled
    summary: SummaryShown
    details_cut: int
    tokens: int
    tokens_whole: int

    @property
    def left_out(self) -> bool:
        """Whether nothing of it is in the block."""
        return self.summary == "left_out"

    @property
    def cut(self) -> bool:
        """Whether anything of it is missing."""
        return self.summary != "whole" or self.details_cut > 0


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """The block's text, and what of each recalled memory is in it, best first."""

    text: str
    recalled: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """A memory as the block shows it: how long ago, on which days, and what is remembered.

    `sub_lines` are its quotes and actions.
    """

    when: str
    days: str
    summary: str
    sub_lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """What a block is written for. `cast` names the characters who take part."""

    now: datetime
    zone: ZoneInfo
    locale: Locale
    cast: tuple[str, ...]

    @property
    def text(self) -> ChatText:
        """The fixed text in the block's language."""
        return CHAT_TEXT[self.locale]


def write(memories: Sequence[Recalled], frame: Frame, room: int) -> MemoryBlock:
    """The block for memories given best first, in at most about `room` tokens.

    All are in as long as there is room for `LEAST_SUMMARY` of each; those in a reserved place come
    first, then the others by rank. A summary that is longer than its share of the room is shortened
    at a sentence. Quotes and actions take what the summaries leave, by rank. With nothing to show
    the block says that nothing is remembered.
    """
    intro = _opening(frame, frame.text.remembered)
    entries = [_entry(recalled.memory, frame) for recalled in memories]
    by_claim = sorted(range(len(memories)), key=lambda i: memories[i].why.slot != "importance")
    left = room - _EMPTY_FENCE - tokens.estimate(intro)
    left = _fill_summaries([entries[i] for i in by_claim], left)
    _fill_details((entry for entry in entries if entry.summary is not None), left)
    recalled = tuple(e.shown(r) for e, r in zip(entries, memories, strict=True))
    lines = [line for e in sorted(entries, key=_age) for line in e.lines]
    if not lines:
        return MemoryBlock(_opening(frame, frame.text.nothing_remembered), recalled)
    return MemoryBlock(f"{intro}\n{fence.enclose('memories', lines)}", recalled)


def read_memory_lines(section_text: str) -> list[MemoryLine]:
    """Read the memories of a block that `write` made, as it shows them, oldest first."""
    return [_read(item) for item in fence.unwrap(section_text)]


def _opening(frame: Frame, what: str) -> str:
    now, text = frame.now.astimezone(frame.zone), frame.text
    clock = text.now.format(
        date=f"{now:%Y-%m-%d}", weekday=text.weekdays[now.weekday()], time=f"{now:%H:%M}"
    )
    return f"{text.memories_title}\n{clock}\n{what}"


def _age(entry: "_Entry") -> tuple[datetime, datetime, bytes]:
    memory = entry.memory
    return memory.happened_at, memory.created_at, memory.id.bytes


class _Detail(NamedTuple):
    """The line of a quote or an action, and the tokens it takes."""

    line: fence.Line
    cost: int


@dataclass(slots=True)
class _Entry:
    """A memory that is being put into the block: what it says in all, and what of it is in.

    `summary` is None as long as the memory is not in; `details` are those that are.
    """

    memory: Memory
    dated: str
    involved: tuple[fence.Line, ...]
    whole: str
    all_details: tuple[_Detail, ...]
    summary: str | None = None
    details: list[_Detail] = field(default_factory=list)

    def top(self, summary: str) -> tuple[fence.Line, ...]:
        """Its lines with such a summary, without details."""
        return fence.head_line(f"{self.dated} {summary}"), *self.involved

    @property
    def top_cost(self) -> int:
        """Tokens of its lines in the block but for the details; 0 when it is not in."""
        return 0 if self.summary is None else _cost(self.top(self.summary))

    @property
    def lines(self) -> Iterator[fence.Line]:
        """Its lines as they stand in the block; none when it is not in."""
        if self.summary is not None:
            yield from self.top(self.summary)
            yield from (detail.line for detail in self.details)

    @property
    def _summary_shown(self) -> SummaryShown:
        if self.summary is None:
            return "left_out"
        return "whole" if self.summary == self.whole else "shortened"

    def shown(self, recalled: Recalled) -> Shown:
        """What of it is in the block."""
        shown, top = self._summary_shown, self.top_cost
        whole = top if shown == "whole" else _cost(self.top(self.whole))
        return Shown(
            recalled=recalled,
            summary=shown,
            details_cut=len(self.all_details) - len(self.details),
            tokens=top + sum(detail.cost for detail in self.details),
            tokens_whole=whole + sum(detail.cost for detail in self.all_details),
        )


def _entry(memory: Memory, frame: Frame) -> _Entry:
    when = ago(memory.happened_at, frame.now, frame.zone, frame.locale)
    lines = (_detail(detail, frame) for detail in memory.details)
    on = days(memory.began_at, memory.happened_at, frame.now, frame.zone, frame.locale)
    return _Entry(
        memory,
        f"({when}, {on})",
        tuple(_involved(memory, frame)),
        fence.quoted(memory.summary),
        tuple(_Detail(line, _cost([line])) for line in lines),
    )


def _involved(memory: Memory, frame: Frame) -> Iterator[fence.Line]:
    """Who was there, where that is not only the user and the one character who takes part."""
    if memory.involved and (len(frame.cast) > 1 or set(memory.involved) - set(frame.cast)):
        yield fence.sub_line(f"[{frame.text.involved}: {', '.join(memory.involved)}]")


def _cost(lines: Iterable[fence.Line]) -> int:
    return sum(tokens.estimate(f"{line}\n") for line in lines)


def _fill_summaries(entries: Sequence[_Entry], room: int) -> int:
    """Give summaries to as many of the entries as there is room for, and return what is left.

    Who comes first has the first claim: also on what the others leave when they are shortened.
    """
    around = [_cost(entry.top("")) for entry in entries]
    needs = [tokens.estimate(entry.whole) for entry in entries]
    least = (a + min(need, LEAST_SUMMARY) for a, need in zip(around, needs, strict=True))
    count = sum(total <= room for total in accumulate(least))
    granted = shares(needs[:count], room - sum(around[:count]))
    for entry, share in zip(entries[:count], granted, strict=True):
        entry.summary = shortened(entry.whole, share)
    left = room - sum(entry.top_cost for entry in entries)
    for entry, taken in zip(entries[:count], around, strict=False):
        if left and entry.summary != entry.whole:
            left += entry.top_cost
            entry.summary = shortened(entry.whole, left - taken)
            left -= entry.top_cost
    return left


def _fill_details(entries: Iterable[_Entry], room: int) -> None:
    """Give details to the entries, best first, as far as they fit."""
    left = room
    for entry in entries:
        for detail in entry.all_details:
            if detail.cost <= left:
                entry.details.append(detail)
                left -= detail.cost


def _detail(detail: KeyDetail, frame: Frame) -> fence.Line:
    who = frame.text.user if detail.who == "user" else detail.who
    if detail.character and frame.cast != (detail.character,):
        who = f"{who} → {detail.character}"
    form = frame.text.said if detail.kind == "quote" else frame.text.did
    line = form.format(who=who, text=fence.one_line(detail.text))
    return fence.sub_line(f"{line} ({detail.context})" if detail.context else line)


def _read(item: fence.Item) -> MemoryLine:
    head = _HEAD.fullmatch(item.head)
    known_by = item.lines[:1] if item.lines and item.lines[0].startswith("[") else ()
    sub_lines = item.lines[len(known_by) :]
    if not head:
        return MemoryLine("", "", item.head, sub_lines)
    return MemoryLine(head["when"], head["days"] or "", head["summary"] or "", sub_lines)
