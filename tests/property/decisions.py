"""What the user decided of memories, and how it must show in those that stand."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from uuid import UUID

from gieok.types import Memory

MARKER = re.compile(r"\bx[0-9a-f]{9}\b")


def told(memory: Memory) -> set[str]:
    """The markers that a memory tells, in its summary or a detail."""
    texts = [memory.summary, *(d.text for d in memory.details)]
    return set(MARKER.findall(" ".join(texts)))


@dataclass
class Decisions:
    """By markers of words, since memories come and go.

    `deleted` may stand in no memory any more, `pinned` ones may say what is not so; those
    `to_stand` are still there, too. `own` are the texts that the user gave to memories, each with
    the markers that its memory told before. `muted` and `weighed` go by the users' words.
    """

    deleted: set[str] = field(default_factory=set)
    pinned: set[UUID] = field(default_factory=set)
    to_stand: set[UUID] = field(default_factory=set)
    own: dict[UUID, tuple[str, set[str]]] = field(default_factory=dict)
    muted: set[str] = field(default_factory=set)
    weighed: dict[str, int] = field(default_factory=dict)

    def of(self, memory: Memory) -> set[str]:
        """The markers of the words that a memory was made of, whatever it tells now."""
        return self.own[memory.id][1] if memory.id in self.own else told(memory)

    def reworded(self) -> set[str]:
        """The markers of words that a text of the user's own stands for."""
        return set().union(*(covered for _, covered in self.own.values()))

    def correct(self, memory: Memory, text: str) -> None:
        """The user gave a memory this text."""
        self.own[memory.id] = (text, self.of(memory))

    def delete(self, memory: Memory) -> None:
        """The user deleted a memory."""
        self.deleted |= self.of(memory) | told(memory)
        self.own.pop(memory.id, None)
        self.to_stand.discard(memory.id)

    def mute(self, memory: Memory) -> None:
        """The user muted a memory, or brought it back."""
        if memory.muted:
            self.muted -= self.of(memory)
        else:
            self.muted |= self.of(memory)

    def weigh(self, memory: Memory, importance: int) -> None:
        """The user chose how much a memory weighs."""
        self.weighed |= dict.fromkeys(self.of(memory), importance)

    def keep(self, left: Iterable[Memory]) -> None:
        """A reset took all but these, pinned or not."""
        ids = {m.id for m in left}
        self.to_stand &= ids
        self.own = {i: v for i, v in self.own.items() if i in ids}

    def lose(self, marker: str) -> None:
        """A message of the user's goes or changes: the user's text about it stands no more."""
        fell = [i for i, (_, covered) in self.own.items() if marker in covered]
        for memory_id in set(fell) - self.to_stand:
            del self.own[memory_id]

    def answer(self, message: str, fresh: str) -> None:
        """Another answer to a message: no more to be remembered than the message itself."""
        if message in self.deleted:
            self.deleted.add(fresh)
        for _, covered in self.own.values():
            if message in covered:
                covered.add(fresh)

    def rewrite(self, message: str, fresh: str) -> None:
        """The user wrote something else in place of a message."""
        self.lose(message)
        if message not in self.deleted:
            self.muted |= {fresh} if message in self.muted else set()
            if message in self.weighed:
                self.weighed[fresh] = self.weighed[message]

    def hold(self, memories: Iterable[Memory], certain: set[str]) -> None:
        """Asserts that memories are as they were decided on; `certain` are words in theirs."""
        by_id = {m.id: m for m in memories}
        assert self.to_stand <= set(by_id), "a pinned memory is lost"
        assert {i: by_id[i].summary for i in self.own} == {i: t for i, (t, _) in self.own.items()}
        for memory in by_id.values():
            words = self.of(memory) & certain
            assert not words or memory.muted == bool(words & self.muted), "not muted as it was"
            assert {self.weighed[w] for w in words if w in self.weighed} <= {memory.importance}
            assert memory.id in self.pinned or not told(memory) & self.deleted, "deleted, and back"
