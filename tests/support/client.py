"""The whole app over HTTP as one user's client sees it; its models say what a test tells them."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

import httpx

from functions.chat.asgi import create_app
from functions.chat.auth import Issuer
from functions.chat.endpoint import Services
from functions.chat.sse import Turns
from gieok.ids import show
from gieok.relationship.corrections import read_relationship
from gieok.types import UserId
from tests.support.world import World, extraction, somebody

Json = dict[str, Any]
SAID, AGAIN = "우리 강아지 콩이랑 한강에서 산책했어", "우리 고양이 보리는 상자를 좋아해"


class Named:
    """An issuer whose tokens are the users' names."""

    async def user_of(self, headers: Mapping[str, str]) -> UserId:
        """See `auth.Issuer.user_of`."""
        return UserId(headers["authorization"])


@dataclass(frozen=True, slots=True)
class Client:
    """The app as one user's client sees it, with a character that knows them."""

    http: httpx.AsyncClient
    world: World
    user: UserId
    haru: UUID

    async def ask(self, method: str, path: str, body: object = None, status: int = 200) -> Json:
        """A request that ends as expected; its JSON."""
        answer = await self.http.request(
            method, f"/v1/{path}", json=body, headers={"authorization": self.user}
        )
        assert answer.status_code == status, answer.text
        return cast(Json, answer.json()) if answer.content else {}

    async def change(self, memory_id: str, **fields: object) -> Json:
        """PATCH a memory."""
        return await self.ask("PATCH", f"memories/{memory_id}", fields)

    async def history(self, memory_id: str) -> Json:
        """A memory's history."""
        return await self.ask("GET", f"memories/{memory_id}/history")

    async def listed(self, query: str = "") -> list[Json]:
        """The first page of the list."""
        return cast(list[Json], (await self.ask("GET", f"memories?{query}"))["memories"])

    async def search(self, words: str, more: str = "") -> list[str]:
        """Ids of what a search finds, best first."""
        return [m["id"] for m in await self.listed(f"q={words}{more}")]

    async def recall(self, query: str, **more: object) -> Json:
        """What a message would bring to mind, with reasons."""
        body = {"characterId": show("char", self.haru), "query": query, "explain": True, **more}
        return await self.ask("POST", "recall", body)

    async def reasons(self, query: str) -> dict[str, Json]:
        """Why each memory would be recalled, by id."""
        recalled = (await self.recall(query))["memories"]
        return {m["memory"]["id"]: m["why"] for m in recalled}

    async def learn(self, text: str = SAID, **extracted: Any) -> str:
        """Say something that becomes a memory; its id."""
        self.world.speaker.extract = lambda p: extraction(p, **extracted)
        await self.world.talk_and_generate(self.user, self.haru, text)
        return cast(str, (await self.listed("limit=1"))[0]["id"])

    async def called(self) -> str:
        """What the character calls the user now."""
        found = await read_relationship(self.world.engine, self.user, self.haru, None, 1)
        return found.current.relationship.state.user_called if found.current else ""

    async def other(self) -> "Client":
        """Somebody else at the same service."""
        return Client(self.http, self.world, somebody(), self.haru)


@asynccontextmanager
async def client(world: World) -> AsyncIterator[Client]:
    """A user without memories, and a character."""
    app = create_app()
    app.state.services = Services(world.engine, cast(Issuer, Named()), Turns())
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://gieok") as http:
        yield Client(http, world, somebody(), await world.character())
