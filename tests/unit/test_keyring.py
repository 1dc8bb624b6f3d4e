"""The key cache: short, bounded, and never ahead of the database."""

import asyncio
import gc
import weakref
from datetime import UTC, datetime, timedelta

import pytest

from gieok.errors import DecryptionFailed
from gieok.ids import new_id
from gieok.privacy import keyring
from gieok.privacy.cipher import Cell, UserCipher
from gieok.privacy.key_services import FileKeyService
from gieok.types import UserId

ALICE, BOB = UserId("alice"), UserId("bob")


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 30, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time


class Counted(FileKeyService):
    """The laptop's key service, counting what it is asked."""

    unwrapped = 0

    async def unwrap(self, user_id: UserId, wrapped: bytes) -> bytes:
        self.unwrapped += 1
        return await super().unwrap(user_id, wrapped)


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Counted:
    path = tmp_path_factory.mktemp("key") / "key"
    path.write_text("ab" * 32)
    return Counted(path)


async def test_a_key_is_unwrapped_once_while_it_is_fresh(service: Counted) -> None:
    clock = Clock()
    _, wrapped = await keyring.Keyring(service, clock).create(ALICE)
    ring = keyring.Keyring(service, clock)
    await ring.open(ALICE, wrapped)
    await ring.open(ALICE, wrapped)
    assert service.unwrapped == 1
    clock.time += keyring.KEEP + timedelta(seconds=1)
    await ring.open(ALICE, wrapped)
    assert service.unwrapped == 2


async def test_another_users_wrapped_key_is_refused_even_when_it_is_cached(
    service: Counted,
) -> None:
    ring = keyring.Keyring(service, Clock())
    _, wrapped = await ring.create(ALICE)
    with pytest.raises(DecryptionFailed):
        await ring.open(BOB, wrapped)


async def test_the_cache_is_bounded(service: Counted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyring, "CAPACITY", 2)
    ring = keyring.Keyring(service, Clock())
    keys = [(UserId(f"user{i}"), (await ring.create(UserId(f"user{i}")))[1]) for i in range(3)]
    await ring.open(*keys[2])
    assert service.unwrapped == 0
    await ring.open(*keys[0])
    assert service.unwrapped == 1


async def test_an_expired_key_leaves_at_the_next_call_for_anybody(service: Counted) -> None:
    clock = Clock()
    ring = keyring.Keyring(service, clock)
    alice = weakref.ref((await ring.create(ALICE))[0])
    clock.time += keyring.KEEP - timedelta(seconds=1)
    await ring.create(BOB)
    gc.collect()
    assert alice()
    clock.time += timedelta(seconds=1)
    bob = weakref.ref((await ring.create(BOB))[0])
    gc.collect()
    assert not alice()
    assert bob()


async def test_an_expired_key_leaves_even_when_nobody_calls(
    service: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring, "KEEP", timedelta(milliseconds=1))
    ring = keyring.Keyring(service, Clock())
    alice = weakref.ref((await ring.create(ALICE))[0])
    async with asyncio.timeout(10):
        while alice():
            await asyncio.sleep(0.001)
            gc.collect()
    assert ring


async def test_two_users_ciphers_share_nothing(service: Counted) -> None:
    ring = keyring.Keyring(service, Clock())
    alice: UserCipher = (await ring.create(ALICE))[0]
    bob = (await ring.create(BOB))[0]
    cell = Cell("t", "c", new_id())
    keys = {key for one in (alice, bob) for key in (one.index_key, one.fact_key)}
    assert len(keys) == 4
    with pytest.raises(DecryptionFailed):
        bob.open(cell, alice.seal(cell, "비밀"))
