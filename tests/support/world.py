"""An engine on real services with speakers that say what a test tells them to."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg

from gieok.adapters.upstash import RedisLock, RedisRateLimiter, connect
from gieok.calls import StructuredPrompt
from gieok.conversation.claim import Claimed, Earlier, ask_for, claim
from gieok.conversation.converse import converse
from gieok.conversation.events import Delta, Done, Event, Failed, Meta
from gieok.engine import Engine, SweepEngine
from gieok.errors import QueueUnavailable
from gieok.generation.generate import generate
from gieok.generation.outcome import Outcome
from gieok.ids import new_id, parse, show
from gieok.policy import COMPANION, Policy
from gieok.privacy.key_services import FileKeyService
from gieok.privacy.keyring import Keyring
from gieok.providers.router import Models
from gieok.revision.reroll import again_for, claim_again
from gieok.store.database import Database
from gieok.types import Scope, UserId
from tests.support.speakers import Hashes, Speaker

VECTOR_WIDTH = 768


class MovedClock:
    """The real time, moved by `ahead`."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def now(self) -> datetime:
        """See `ports.Clock`."""
        return datetime.now(UTC) + self.ahead


class Hints:
    """A queue that keeps what was sent. Fails while `down`."""

    def __init__(self) -> None:
        self.sent: list[tuple[Scope, int]] = []
        self.down = False

    async def send(self, scope: Scope, delay_s: int = 0) -> None:
        """See `ports.Queue`."""
        if self.down:
            raise QueueUnavailable("down")
        self.sent.append((scope, delay_s))


@dataclass(frozen=True, slots=True)
class Told:
    """What a client heard of one turn."""

    events: list[Event]

    @property
    def meta(self) -> Meta:
        """The first event."""
        first = self.events[0]
        assert isinstance(first, Meta)
        return first

    @property
    def text(self) -> str:
        """The whole answer."""
        return "".join(e.text for e in self.events if isinstance(e, Delta))

    @property
    def done(self) -> Done:
        """The last event of a turn that went well."""
        last = self.events[-1]
        assert isinstance(last, Done), last
        return last

    @property
    def failed(self) -> Failed:
        """The last event of a turn that did not."""
        last = self.events[-1]
        assert isinstance(last, Failed), last
        return last

    @property
    def session_id(self) -> UUID:
        """The turn's session."""
        assert self.meta.session_id
        return parse("talk", self.meta.session_id)


def extraction(prompt: StructuredPrompt, **changes: Any) -> str:
    """A good extraction of what a prompt shows: the user's messages as summary and quotes."""
    payload = json.loads(prompt.payload)
    said = [m["text"] for m in payload["messages"] if m["speaker"] == "user"]
    answer: dict[str, Any] = {
        "worth_keeping": True,
        "summary": " ".join(said),
        "importance": 5,
        "key_details": [
            {"kind": "quote", "who": "user", "character": name, "text": said[-1], "context": ""}
            for name in payload["characters"]
        ],
        "search_terms": [word for text in said for word in text.split()][:40],
        "facts": [],
        "relationship_states": [],
    }
    return json.dumps(answer | changes, ensure_ascii=False)


@dataclass(slots=True)
class World:
    """One database with its engine; every user and character of a test is its own.

    `time_zone` is what clients send with a message.
    """

    engine: Engine
    worker: Engine
    admin_url: str
    sweeper: SweepEngine
    speaker: Speaker
    embedder: Hashes
    hints: Hints
    clock: MovedClock
    characters: list[UUID] = field(default_factory=list)
    time_zone: str | None = "Asia/Seoul"

    async def character(self, name: str = "하루") -> UUID:
        """A new character."""
        character_id = new_id()
        await self.sql(
            "INSERT INTO chat.characters (id, name, persona, greeting, fallback_line, locale)"
            " VALUES (%s, %s, '다정하다', '안녕!', '음… 잠깐만, 생각이 잘 안 나.', 'ko')",
            character_id,
            name,
        )
        return character_id

    async def say(
        self,
        user: UserId,
        cast: UUID | tuple[UUID, ...],
        message: str,
        session_id: UUID | None = None,
        client_message_id: str | None = None,
    ) -> Told:
        """One turn, heard to its end. A refusal before the stream is raised."""
        asked = self.events(user, cast, message, session_id, client_message_id)
        return Told([e async for e in asked])

    async def events(
        self,
        user: UserId,
        cast: UUID | tuple[UUID, ...],
        message: str,
        session_id: UUID | None = None,
        client_message_id: str | None = None,
    ) -> AsyncGenerator[Event, None]:
        """The events of one turn as they come. A refusal before the stream is raised."""
        request_id = show("req", new_id())
        ask = ask_for(
            self.engine.policy.chat,
            request_id=request_id,
            user_id=user,
            message=message,
            character_ids=cast if isinstance(cast, tuple) else (cast,),
            session_id=session_id,
            client_message_id=client_message_id,
            time_zone=self.time_zone,
            locale=None,
        )
        claimed = await claim(self.engine, ask)
        async with aclosing(converse(self.engine, request_id, _ready(claimed))) as events:
            async for event in events:
                yield event

    async def reroll(
        self, user: UserId, message_id: UUID, client_message_id: str | None = None
    ) -> Told:
        """Another answer, heard to its end. A refusal before the stream is raised."""
        request_id = show("req", new_id())
        again = again_for(
            request_id=request_id,
            user_id=user,
            message_id=message_id,
            client_message_id=client_message_id,
            time_zone=self.time_zone,
            locale=None,
        )
        claimed = await claim_again(self.engine, again)
        return Told([e async for e in converse(self.engine, request_id, _ready(claimed))])

    async def generate(self, user: UserId, *cast: UUID) -> list[Outcome]:
        """What the worker does with a hint."""
        return await generate(self.worker, Scope(user, tuple(sorted(cast))))

    async def talk_and_generate(self, user: UserId, cast: UUID, *messages: str) -> Told:
        """Say all in one new session, let it go idle, and remember it."""
        told = await self.say(user, cast, messages[0])
        for message in messages[1:]:
            told = await self.say(user, cast, message, told.session_id)
        self.clock.ahead += timedelta(hours=3)
        try:
            outcomes = await self.generate(user, cast)
        finally:
            self.clock.ahead -= timedelta(hours=3)
        assert outcomes == ["written", "not_due"]
        return told

    async def sql(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Run a statement as superuser, past every policy."""
        connection = await psycopg.AsyncConnection.connect(self.admin_url, autocommit=True)
        async with connection:
            cursor = await connection.execute(statement.encode(), parameters)
            return await cursor.fetchall() if cursor.description else []


def _ready(claimed: Claimed | Earlier) -> "asyncio.Future[Claimed | Earlier]":
    ready = asyncio.get_running_loop().create_future()
    ready.set_result(claimed)
    return ready


def somebody() -> UserId:
    """A user nobody else is."""
    return UserId(f"user-{new_id().hex}")


@asynccontextmanager
async def world(
    *,
    chat_url: str,
    worker_url: str,
    sweep_url: str,
    admin_url: str,
    redis: tuple[str, str],
    key_file: Path,
    policy: Policy = COMPANION,
) -> AsyncIterator[World]:
    """A world on running services. `chat_url` and `worker_url` may point at a proxy."""
    speaker, embedder, hints, clock = Speaker(), Hashes(), Hints(), MovedClock()
    speaker.extract = extraction
    generation = policy.generation
    client = connect(*redis)
    engine = Engine(
        database=Database(chat_url, 8),
        keyring=Keyring(FileKeyService(key_file), clock),
        models=Models({"test": speaker}, {"test": embedder}),
        lock=RedisLock(client, generation.lock_ttl_s, generation.heartbeat_s),
        limiter=RedisRateLimiter(client, dict.fromkeys(("turn", "search", "call"), 100_000)),
        queue=hints,
        clock=clock,
        policy=policy,
        vector_width=VECTOR_WIDTH,
    )
    worker = replace(engine, database=Database(worker_url, 8))
    sweeper = SweepEngine(Database(sweep_url, 1), hints, policy)
    yield World(engine, worker, admin_url, sweeper, speaker, embedder, hints, clock)
    for database in (engine.database, worker.database, sweeper.database):
        await database.close()
    await client.close()
