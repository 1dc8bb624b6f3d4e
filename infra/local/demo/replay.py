"""Live through a conversation as one user, as fast as memories are written, then ask about it."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from infra.local.demo.client import Character, Gieok, Memory, MemoryCut
from infra.local.demo.conversation import Conversation, Piece, Question, Session, holds


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for the memory worker."""

    longest: float = 20.0
    """Seconds to wait for a memory that is due. After them the replay goes on and says so."""
    quiet: float = 2.0
    """Seconds without a new memory after which a session that has ended is wholly remembered."""
    poll: float = 0.25
    """Seconds between two looks."""


@dataclass(frozen=True, slots=True)
class Lived:
    """A session that was replayed.

    `memories` is the number of all so far. `late` says that one did not come in time.
    """

    session: Session
    memories: int
    late: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What reached the prompt for a question, best first, and where in it the evidence was.

    `cuts` are those recalled that are not wholly in the prompt. `ranks` has one entry for each
    piece of evidence: the rank, from 1, of the first memory that holds it, or None. `written` says
    whether every piece is in some memory, recalled or not.
    """

    text: str
    recalled: tuple[Memory, ...]
    evidence: tuple[Piece, ...]
    ranks: tuple[int | None, ...]
    written: bool
    cuts: tuple[MemoryCut, ...] = ()

    @property
    def found(self) -> int:
        """How many memories were recalled, in the prompt or left out of it."""
        return len(self.recalled) + self._cut("left_out")

    @property
    def shortened(self) -> int:
        """How many of those in the prompt are shortened there."""
        return self._cut("shortened")

    def _cut(self, how: str) -> int:
        return sum(cut.summary == how for cut in self.cuts)

    @property
    def complete(self) -> bool:
        """Whether every piece of evidence was recalled."""
        return None not in self.ranks

    @property
    def best(self) -> Memory | None:
        """The first memory that holds evidence, else the first of all."""
        found = [rank for rank in self.ranks if rank]
        return self.recalled[min(found) - 1 if found else 0] if self.recalled else None


class Replay:
    """One user's life with one character on a running server."""

    def __init__(
        self, server: Gieok, character: Character, patience: Patience = Patience()
    ) -> None:
        self._server = server
        self._character = character
        self._patience = patience
        self._seen = 0

    async def live(self, conversation: Conversation) -> AsyncIterator[Lived]:
        """Replay the sessions in turn; each is wholly remembered before the next begins."""
        for session in conversation.sessions:
            started = time.monotonic()
            late = await self._sit_through(session)
            yield Lived(session, self._seen, late, time.monotonic() - started)

    async def ask(self, conversation: Conversation) -> AsyncIterator[Answer]:
        """Ask all questions in one new session: first those with evidence, then those without."""
        nothing = [Question(u.text, ()) for u in conversation.unanswerable]
        written = await self._server.memories(self._character)
        known, session_id = {m.id: m for m in written}, None
        for question in (*conversation.questions, *nothing):
            reply = await self._server.say(self._character, session_id, question.text)
            session_id = reply.session_id
            for memory_id in reply.memories:
                if memory_id not in known:
                    known[memory_id] = await self._server.memory(memory_id)
            recalled = [known[m] for m in reply.memories]
            yield answer(question, recalled, written, reply.memory_cuts)

    async def _sit_through(self, session: Session) -> bool:
        """Say all of a session and close it; returns whether the worker fell behind."""
        session_id, queued, late = None, 0, False
        for message in session.messages:
            reply = await self._server.say(self._character, session_id, message)
            session_id = reply.session_id
            queued = queued + 1 if reply.generation_queued else 0
            # People type more slowly than the worker writes, so waiting gives the windows that they
            # would get. The turn that completes a window can still be taken back: nothing is
            # written before the turn after it, which is the second one that reports a due window.
            if queued > 1:
                late |= not await self._grown()
                queued = 0
        if session_id is not None:
            await self._server.end(session_id)
            late |= not await self._settled()
        return late

    async def _grown(self) -> bool:
        """Wait until there are more memories than were seen; False when none came in time."""
        deadline = time.monotonic() + self._patience.longest
        while (count := await self._count()) <= self._seen:
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(self._patience.poll)
        self._seen = count
        return True

    async def _settled(self) -> bool:
        """Wait for a session's tail, then until no memory has come for a while."""
        grown = await self._grown()
        quiet_since = time.monotonic()
        while grown and time.monotonic() < quiet_since + self._patience.quiet:
            await asyncio.sleep(self._patience.poll)
            count = await self._count()
            if count > self._seen:
                self._seen, quiet_since = count, time.monotonic()
        return grown

    async def _count(self) -> int:
        return len(await self._server.memories(self._character))


def answer(
    question: Question,
    recalled: Sequence[Memory],
    written: Sequence[Memory],
    cuts: tuple[MemoryCut, ...] = (),
) -> Answer:
    """Look for each piece of a question's evidence in what was recalled for it.

    `written` are all memories of the replayed sessions, which a better recall could have found.
    """
    return Answer(
        question.text,
        tuple(recalled),
        question.evidence,
        tuple(_rank(recalled, piece) for piece in question.evidence),
        all(_rank(written, piece) for piece in question.evidence),
        cuts,
    )


def _rank(memories: Sequence[Memory], piece: Piece) -> int | None:
    ranked = enumerate(memories, start=1)
    return next((rank for rank, m in ranked if any(holds(t, piece) for t in m.texts)), None)
