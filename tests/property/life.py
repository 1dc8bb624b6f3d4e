"""One user's life with two characters: every step of it, and what must be true after each.

Every message and every answer holds a marker word of its own, and an extraction keeps all of them,
so that a memory tells which of them it was made of.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

from gieok.calls import ModelChoice, StructuredPrompt, StructuredReply
from gieok.conversation.sessions import end_session, read_messages
from gieok.errors import ModelUnavailable
from gieok.ids import parse
from gieok.memories.amend import Amendment, amend_memory
from gieok.memories.delete import delete_memory
from gieok.memories.read import list_memories
from gieok.recall.preview import preview
from gieok.relationship.corrections import read_relationship
from gieok.revision.edit import edit_message
from gieok.revision.reset import reset
from gieok.revision.rewind import rewind
from gieok.types import Memory, Scope, UserId
from tests.property.decisions import MARKER, Decisions, told
from tests.support.derived import moving
from tests.support.speakers import Speaker
from tests.support.world import World, extraction, somebody

IDLE = timedelta(hours=3)
CASTS: tuple[tuple[int, ...], ...] = ((0,), (1,), (0, 1))
WORDLESS, WORDY = "응", "말 그래 다시"
"""A question without a keyword, and one that any memory answers."""

Part = Literal["user", "assistant"]
Doing = Literal["pin", "unpin", "mute", "delete", "correct", "weigh"]


class Interrupting(Speaker):
    """A speaker during whose next extraction something else happens."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], Awaitable[None]] | None = None

    async def structured(
        self, prompt: StructuredPrompt, choice: ModelChoice, timeout_s: float
    ) -> StructuredReply:
        """See `ports.LanguageModel`."""
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile:
            await meanwhile()
        return await super().structured(prompt, choice, timeout_s)


def everything(prompt: StructuredPrompt) -> str:
    """An extraction that keeps every word of both sides, the user's last as a promise, too."""
    told = [m["text"] for m in json.loads(prompt.payload)["messages"]]
    words = [word for text in told for word in text.split()]
    return extraction(
        prompt,
        summary=" ".join(told),
        search_terms=words[:40],
        importance=4 + len(words) % 4,
        relationship_states=_promising(prompt),
    )


def _promising(prompt: StructuredPrompt) -> list[dict[str, Any]]:
    """States with the user's last words added to the promises that were shown, the newest five."""
    payload = json.loads(prompt.payload)
    last = [m["text"] for m in payload["messages"] if m["speaker"] == "user"][-1]
    states: list[dict[str, Any]] = json.loads(moving(prompt, promises=[]))["relationship_states"]
    for state in states:
        shown = payload["relationship_state"][state["character"]] or {"promises": []}
        state["promises"] = [*shown["promises"], last][-5:]
    return states


@dataclass
class Said:
    """A turn that stands; markers of its message and of its answer, if it has one.

    `behind_pin`: it changed, and a pinned memory holds its window with what was said before.
    `unknown_to`: characters whose relationship was reset since.
    """

    session: UUID
    cast: tuple[UUID, ...]
    client_id: str
    text: str
    answer: str | None
    behind_pin: bool = False
    unknown_to: set[UUID] = field(default_factory=set)

    @property
    def markers(self) -> set[str]:
        """What a memory of it tells."""
        return {self.text, self.answer} - {None}  # type: ignore[return-value]


@dataclass
class Life:
    """The user's turns as they stand, and what the user decided of what is remembered of them."""

    world: World
    both: tuple[UUID, UUID]
    user: UserId = field(default_factory=somebody)
    turns: list[Said] = field(default_factory=list)
    talks: dict[tuple[tuple[UUID, ...], int], UUID] = field(default_factory=dict)
    decisions: Decisions = field(default_factory=Decisions)
    used: int = 0

    def cast(self, number: int) -> tuple[UUID, ...]:
        """One of the casts."""
        return tuple(sorted(self.both[i] for i in CASTS[number]))

    def _marker(self) -> str:
        self.used += 1
        return "x" + hashlib.sha256(str(self.used).encode()).hexdigest()[:9]

    def _may_remember(self, character: UUID) -> set[str]:
        known = [t for t in self.turns if character in t.cast and character not in t.unknown_to]
        return set().union(*(t.markers for t in known)) - self.decisions.deleted

    async def say(self, number: int, talk: int) -> None:
        """A message in one of the cast's two sessions, answered."""
        await self._say(number, talk, crash=False)

    async def crash(self, number: int, talk: int) -> None:
        """A message whose turn dies of a bug while it is answered."""
        await self._say(number, talk, crash=True)

    async def _say(self, number: int, talk: int, *, crash: bool) -> None:
        cast, client_id = self.cast(number), f"c{self.used}"
        text, answer = self._marker(), self._marker()
        self.world.speaker.pieces = (ValueError("bug"),) if crash else (f"그래 {answer}",)
        session, key = self.talks.get((cast, talk)), (cast, talk)
        try:
            async for event in self.world.events(self.user, cast, f"말 {text}", session, client_id):
                if session_id := getattr(event, "session_id", None):
                    session = parse("talk", session_id)
        except ValueError:
            assert crash
        assert session
        self.talks[key] = session
        self.turns.append(Said(session, cast, client_id, text, None if crash else answer))

    async def retry(self, turn: Said) -> None:
        """The same message again: it is answered now if it never was."""
        fresh = self._marker()
        self.world.speaker.pieces = (f"그래 {fresh}",)
        heard = await self.world.say(
            self.user, turn.cast, f"말 {turn.text}", turn.session, turn.client_id
        )
        assert heard.done
        if turn.answer is None:
            await self._changing(turn)
            self.decisions.answer(turn.text, fresh)
            turn.answer = fresh
            self.turns.sort(key=lambda t: t is turn)
            if not turn.behind_pin:
                turn.unknown_to.clear()  # said now

    async def generate(self, number: int) -> None:
        """What the worker does once all sessions are idle."""
        self.world.clock.ahead = IDLE
        for _ in range(9):
            outcomes = await self.world.generate(self.user, *self.cast(number))
            if outcomes[-1] == "not_due":
                break
        self.world.clock.ahead = timedelta()
        assert outcomes[-1] == "not_due"

    async def _ids(self, turn: Said) -> dict[str, UUID]:
        page = await read_messages(self.world.engine, self.user, turn.session, None, 99)
        own = [m.stored for m in page.items if m.stored.client_message_id == turn.client_id]
        return {m.sealed.role: m.sealed.id for m in own}

    async def _changing(self, turn: Said) -> None:
        """It is remembered anew with its window, less a pinned one."""
        pinned = [m for m in await self._memories() if m.id in self.decisions.pinned]
        turn.behind_pin |= any(turn.markers & self.decisions.of(m) for m in pinned)

    async def rewind(self, turn: Said, part: Part) -> None:
        """Back to a turn's message, or to its answer."""
        ids = await self._ids(turn)
        if part == "user" and turn.answer:
            await self._changing(turn)
        await rewind(self.world.engine, self.user, turn.session, ids.get(part, ids["user"]))
        place = self.turns.index(turn)
        gone = [t for t in self.turns[place + 1 :] if t.session == turn.session]
        self.turns = [t for t in self.turns if t not in gone]
        for lost in gone:
            self.decisions.lose(lost.text)
        if part == "user":
            turn.answer = None

    async def edit(self, turn: Said, part: Part) -> None:
        """A new text for a turn's message or its answer."""
        ids, fresh = await self._ids(turn), self._marker()
        part = part if part in ids else "user"
        await self._changing(turn)
        await edit_message(self.world.engine, self.user, ids[part], f"말 {fresh}")
        if part == "user":
            self.decisions.rewrite(turn.text, fresh)
            turn.text = fresh
        else:
            self.decisions.answer(turn.text, fresh)
            turn.answer = fresh

    async def reroll(self, turn: Said) -> None:
        """Another answer."""
        fresh = self._marker()
        await self._changing(turn)
        self.world.speaker.pieces = (f"다시 {fresh}",)
        heard = await self.world.reroll(self.user, (await self._ids(turn))["user"])
        assert heard.done
        self.decisions.answer(turn.text, fresh)
        turn.answer = fresh

    async def reset(self, number: int) -> None:
        """All with one character alone goes; what was said to both, the other keeps."""
        character, other = self.both[number], self.both[1 - number]
        await reset(self.world.engine, self.user, character)
        self.decisions.keep(await self._memories(other))
        self.turns = [t for t in self.turns if t.cast != (character,)]
        for turn in self.turns:
            turn.unknown_to |= {character} & set(turn.cast)
        self.talks = {k: v for k, v in self.talks.items() if k[0] != (character,)}

    async def end(self, turn: Said) -> None:
        """Close a turn's session; the next message of its cast begins another."""
        await end_session(self.world.engine, self.user, turn.session)
        self.talks = {k: v for k, v in self.talks.items() if v != turn.session}

    async def _memories(self, character: UUID | None = None) -> tuple[Memory, ...]:
        page = await list_memories(self.world.engine, self.user, character, None, None, 99)
        return page.items

    async def change_memory(self, which: int, what: Doing) -> None:
        """The user's own doing with one of the memories, if there is any."""
        memories, engine, decisions = await self._memories(), self.world.engine, self.decisions
        if not memories:
            return
        memory, own, weight = memories[which % len(memories)], self._marker(), 8 + which % 3
        if what == "delete":
            await delete_memory(engine, self.user, memory.id)
            decisions.delete(memory)
            return
        change = {
            "pin": Amendment(pinned=True),
            "unpin": Amendment(pinned=False),
            "mute": Amendment(muted=not memory.muted),
            "correct": Amendment(summary=own),
            "weigh": Amendment(importance=weight),
        }[what]
        await amend_memory(engine, self.user, memory.id, change)
        if what == "pin":
            decisions.pinned.add(memory.id)
            decisions.to_stand.add(memory.id)
        elif what == "unpin":
            decisions.to_stand.discard(memory.id)
        elif what == "mute":
            decisions.mute(memory)
        elif what == "correct":
            decisions.correct(memory, own)
        else:
            decisions.weigh(memory, weight)

    async def nothing_untrue(self, *, every_branch: bool = False) -> None:
        """Nothing is given away that did not happen, is changed or deleted.

        By recall, which hides what is muted, too, nor by relationships, whatever is pinned.
        """
        branches = [(None, WORDY), (ModelUnavailable("embedder"), WORDLESS)]
        if every_branch:
            branches += [(None, WORDLESS), (ModelUnavailable("embedder"), WORDY)]
        for cast in (self.cast(n) for n in range(len(CASTS))):
            true = set().union(*(self._may_remember(c) for c in cast))
            for error, question in branches:
                self.world.embedder.error = error
                for memory in await self._recalled(cast, question):
                    untrue = told(memory) - true - self._own_text_of(memory)
                    assert memory.id in self.decisions.pinned or not untrue, (cast, untrue)
                    assert not memory.muted
        self.world.embedder.error = None
        for character in self.both:
            stands = await read_relationship(self.world.engine, self.user, character, None, 1)
            if stands.current:
                promises = " ".join(stands.current.relationship.state.promises)
                untrue = set(MARKER.findall(promises)) - self._may_remember(character)
                assert not untrue, (character, untrue)

    async def nothing_lost(self) -> None:
        """What stands is remembered, at the latest when the worker comes, and can be found."""
        for number in range(len(CASTS)):
            await self.generate(number)
        certain = {t.text for t in self.turns if not t.behind_pin}
        self.decisions.hold(await self._memories(), certain)
        for character in self.both:
            known = await self._memories(character)
            kept = [t.markers for t in self.turns if character in t.cast and not t.behind_pin]
            due = set().union(*kept) & self._may_remember(character)
            lost = due.difference(self.decisions.reworded(), *map(told, known))
            assert not lost
            for memory in known:
                if not memory.muted:
                    recalled = await self._recalled((character,), min(told(memory)))
                    assert memory.id in {m.id for m in recalled}, "not found"

    def _own_text_of(self, memory: Memory) -> set[str]:
        """The marker of the text that the user gave it, if any."""
        return {self.decisions.own.get(memory.id, ("", ()))[0]}

    async def _recalled(self, cast: tuple[UUID, ...], question: str) -> list[Memory]:
        scope = Scope(self.user, cast)
        found = await preview(self.world.engine, scope, question, "Asia/Seoul", "ko")
        assert found.recollection.status != "failed"
        return [r.recalled.memory for r in found.memories]
