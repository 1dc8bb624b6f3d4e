"""A whole `make run` and a client of its HTTP API."""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import jwt

from infra.local.servers.dev_tokens import read_key


@dataclass(frozen=True, slots=True)
class LaptopRun:
    """A whole `make run`: its URL and its data folder."""

    url: str
    home: Path


@dataclass(frozen=True, slots=True)
class Api:
    """An HTTP client of a laptop run. `character` is one of its characters' ids."""

    client: httpx.AsyncClient
    run: LaptopRun
    issued: str
    character: str

    def headers(self, user: str) -> dict[str, str]:
        """A request's headers as a user."""
        return {"authorization": f"Bearer {self.token(user)}", "content-type": "application/json"}

    def token(self, user: str) -> str:
        """A genuine token."""
        return self.sign(sub=user)

    def sign(self, **changes: Any) -> str:
        """A token by the issuer's own key, with claims changed or (None) left out."""
        real = jwt.decode(self.issued, options={"verify_signature": False})
        claims = {**real, "exp": int(time.time()) + 600, **changes}
        return jwt.encode(
            {k: v for k, v in claims.items() if v is not None},
            read_key(self.run.home / "dev-key.pem"),
            "ES256",
            {"kid": jwt.get_unverified_header(self.issued)["kid"]},
        )

    async def get(self, path: str, user: str) -> httpx.Response:
        """GET as a user."""
        return await self.client.get(path, headers=self.headers(user))

    async def post(self, path: str, user: str, body: object) -> httpx.Response:
        """POST JSON as a user."""
        return await self.client.post(path, json=body, headers=self.headers(user))


Json = dict[str, Any]


def events(body: str) -> list[tuple[str, Json]]:
    """(name, data) of a stream's events; comments are left out."""
    found = []
    for block in body.split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith(":")]
        if lines:
            fields = dict(line.split(": ", 1) for line in lines)
            assert fields["id"]
            found.append((fields["event"], json.loads(fields["data"])))
    return found


async def chat(api: Api, user: str, **body: Any) -> list[tuple[str, Json]]:
    """One turn's events."""
    answer = await api.post("/v1/chat", user, {"characterId": api.character, **body})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.text.startswith(": open\n\n")
    return events(answer.text)


def user() -> str:
    return f"user-{uuid4().hex}"
