"""The issuer's keys: fetched when needed, and never as often as strangers would like."""

import time
from collections.abc import Callable

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from functions.chat import auth
from functions.chat.auth import IdentityUnavailable, Issuer, Unauthorized
from infra.local.servers.dev_tokens import DevIssuer, TokenRequest


class Published:
    """An issuer on the other side of HTTP; its key may be replaced, and it may go down."""

    def __init__(self) -> None:
        self.signer = signer()
        self.more: DevIssuer | None = None
        self.fetches = 0
        self.down = False

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Its key set."""
        self.fetches += 1
        signers = [self.signer, *([self.more] if self.more else [])]
        keys = [key for one in signers for key in one.jwks()["keys"]]
        return httpx.Response(503) if self.down else httpx.Response(200, json={"keys": keys})

    def issuer(self) -> Issuer:
        """What the chat function makes of it."""
        client = httpx.AsyncClient(transport=httpx.MockTransport(self.answer))
        return Issuer("issuer", "audience", "https://issuer.example/keys", client, ())


def signer() -> DevIssuer:
    return DevIssuer("issuer", "audience", ec.generate_private_key(ec.SECP256R1()))


async def ask(issuer: Issuer, by: DevIssuer) -> str:
    """The user a token names that `by` signed."""
    token = by.token(TokenRequest("하루의 친구"), int(time.time()))
    return await issuer.user_of({"authorization": f"Bearer {token}"})


@pytest.fixture
def published() -> Published:
    """An issuer of this test's own."""
    return Published()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Let one of the waits be over at once."""
    return lambda name: monkeypatch.setattr(auth, name, -1)


async def test_keys_are_fetched_once_for_many_tokens(published: Published) -> None:
    issuer = published.issuer()
    for _ in range(3):
        assert await ask(issuer, published.signer) == "하루의 친구"
    assert published.fetches == 1


async def test_forged_key_ids_do_not_make_us_hammer_the_issuer(published: Published) -> None:
    issuer = published.issuer()
    await ask(issuer, published.signer)
    for _ in range(20):
        with pytest.raises(Unauthorized):
            await ask(issuer, signer())
    assert published.fetches == 1


async def test_after_the_pause_a_key_that_was_replaced_is_found(
    published: Published, later: Callable[[str], None]
) -> None:
    issuer, old = published.issuer(), published.signer
    await ask(issuer, old)
    published.signer = signer()
    with pytest.raises(Unauthorized):
        await ask(issuer, published.signer)
    later("PAUSE_S")
    assert await ask(issuer, published.signer)
    with pytest.raises(Unauthorized):
        await ask(issuer, old)


async def test_old_keys_are_fetched_again_but_no_more_often_than_the_pause_allows(
    published: Published, later: Callable[[str], None]
) -> None:
    issuer = published.issuer()
    await ask(issuer, published.signer)
    later("FRESH_S")
    await ask(issuer, published.signer)
    assert published.fetches == 1
    later("PAUSE_S")
    await ask(issuer, published.signer)
    assert published.fetches == 2


async def test_the_last_known_keys_serve_while_the_issuer_is_down(
    published: Published, later: Callable[[str], None]
) -> None:
    issuer = published.issuer()
    await ask(issuer, published.signer)
    published.down = True
    later("FRESH_S")
    later("PAUSE_S")
    assert await ask(issuer, published.signer)
    assert published.fetches == 2


async def test_with_no_key_yet_an_issuer_that_is_down_is_unavailable_and_not_a_refusal(
    published: Published,
) -> None:
    issuer, published.down = published.issuer(), True
    with pytest.raises(IdentityUnavailable):
        await ask(issuer, published.signer)
    published.down = False
    assert await ask(issuer, published.signer)


async def test_a_token_without_a_key_id_is_of_the_only_key(published: Published) -> None:
    one, other = published.signer, signer()
    claims = jwt.decode(
        one.token(TokenRequest("나"), int(time.time())), options={"verify_signature": False}
    )
    bearer = {"authorization": f"Bearer {jwt.encode(claims, one.key, 'ES256')}"}
    assert await published.issuer().user_of(bearer) == "나"
    forged = {"authorization": f"Bearer {jwt.encode(claims, other.key, 'ES256')}"}
    with pytest.raises(Unauthorized):
        await published.issuer().user_of(forged)
    published.more = other
    with pytest.raises(Unauthorized):
        await published.issuer().user_of(bearer)
