"""The laptop's tokens are what the chat function's own check accepts, and nonsense gets none."""

import json
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import example, given, settings
from hypothesis import strategies as st

from functions.chat.auth import Issuer, Unauthorized
from infra.local.errors import CannotRun
from infra.local.servers.dev_tokens import DevIssuer, TokenRequest, ensure_key, read_key

KEY = ec.generate_private_key(ec.SECP256R1())
ISSUER, AUDIENCE = "http://127.0.0.1:8700", "gieok"


@pytest.fixture
def issuer(tmp_path: Path) -> DevIssuer:
    ensure_key(tmp_path / "key.pem")
    return DevIssuer(ISSUER, AUDIENCE, read_key(tmp_path / "key.pem"))


def client(issuer: DevIssuer) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(issuer.app()), base_url=ISSUER)


def check(issuer: DevIssuer) -> Issuer:
    """The chat function's check, with the laptop's issuer as the one it trusts."""
    return Issuer(ISSUER, AUDIENCE, "/dev/jwks.json", client(issuer), ())


async def test_a_token_is_accepted_as_the_user_it_was_asked_for(issuer: DevIssuer) -> None:
    async with client(issuer) as http:
        answer = await http.post("/dev/token", json={"user": "하루 팬", "roles": ["admin"]})
    token = answer.json()["accessToken"]
    assert answer.json()["expiresIn"] == 3600
    assert answer.headers["cache-control"] == "no-store"
    assert await check(issuer).user_of({"authorization": f"Bearer {token}"}) == "하루 팬"
    claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    assert claims["roles"] == ["admin"]
    assert claims["exp"] - claims["iat"] == 3600


@settings(deadline=None, max_examples=25)
@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=300))
@example("가" * 85)
@example("가" * 86)
async def test_whoever_gets_a_token_is_accepted_by_it(user: str) -> None:
    issuer = DevIssuer(ISSUER, AUDIENCE, KEY)
    async with client(issuer) as http:
        answer = await http.post("/dev/token", json={"user": user})
    if answer.status_code == 200:
        token = answer.json()["accessToken"]
        assert await check(issuer).user_of({"authorization": f"Bearer {token}"}) == user
    else:
        assert answer.json()["code"] == "invalid_request"


async def test_an_expired_token_is_refused(issuer: DevIssuer) -> None:
    token = issuer.token(TokenRequest("somebody"), now=1_700_000_000)
    with pytest.raises(Unauthorized):
        await check(issuer).user_of({"authorization": f"Bearer {token}"})


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "malformed_body"),
        (b"{", 400, "malformed_body"),
        (b'{"user": "\xff"}', 400, "malformed_body"),
        (b"[]", 422, "invalid_request"),
        (b"{}", 422, "invalid_request"),
        (b'{"user": ""}', 422, "invalid_request"),
        (b'{"user": "  "}', 422, "invalid_request"),
        (b'{"user": 1}', 422, "invalid_request"),
        (b'{"user": null}', 422, "invalid_request"),
        (b'{"user": "a\\u0000"}', 422, "invalid_request"),
        (b'{"user": "' + b"a" * 256 + b'"}', 422, "invalid_request"),
        (b'{"user": "a", "roles": ["root"]}', 422, "invalid_request"),
        (b'{"user": "a", "roles": "admin"}', 422, "invalid_request"),
        (b'{"user": "a", "sub": "b"}', 422, "invalid_request"),
        (b'{"user": "' + b"a" * 5000 + b'"}', 413, "body_too_large"),
    ],
)
async def test_nonsense_gets_a_problem_document(
    issuer: DevIssuer, body: bytes, status: int, code: str
) -> None:
    async with client(issuer) as http:
        headers = {"Content-Type": "application/json"}
        answer = await http.post("/dev/token", content=body, headers=headers)
    problem = answer.json()
    assert (answer.status_code, problem["status"], problem["code"]) == (status, status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert set(problem) == {"type", "title", "status", "detail", "code", "requestId"}


async def test_another_sites_page_gets_no_token(issuer: DevIssuer) -> None:
    async with client(issuer) as http:
        simple = await http.post(
            "/dev/token", content=b'{"user": "a"}', headers={"Content-Type": "text/plain"}
        )
    assert (simple.status_code, simple.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "[::1", "", "127.1"])
async def test_a_host_that_is_not_loopback_gets_no_token(issuer: DevIssuer, host: str) -> None:
    async with client(issuer) as http:
        answer = await http.post("/dev/token", json={"user": "a"}, headers={"Host": host})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "[::1]:8700"])
async def test_a_loopback_host_gets_one(issuer: DevIssuer, host: str) -> None:
    async with client(issuer) as http:
        answer = await http.post("/dev/token", json={"user": "a"}, headers={"Host": host})
    assert answer.status_code == 200


async def test_the_published_key_has_no_private_part(issuer: DevIssuer) -> None:
    async with client(issuer) as http:
        (key,) = (await http.get("/dev/jwks.json")).json()["keys"]
    assert set(key) == {"kty", "crv", "x", "y", "kid", "alg", "use"}


def test_the_key_stays_so_that_tokens_survive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    ensure_key(path)
    first = path.read_bytes()
    ensure_key(path)
    assert path.read_bytes() == first
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", ["", "not a key", json.dumps({"kty": "EC"})])
def test_a_damaged_key_is_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "key.pem").write_text(content)
    with pytest.raises(CannotRun, match="damaged: remove it"):
        ensure_key(tmp_path / "key.pem")
