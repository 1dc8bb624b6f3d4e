"""Redis down, slow, late or answering errors: turns and generation go on, and locks stay honest."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from datetime import timedelta

import pytest
import pytest_asyncio

from gieok.adapters import upstash
from gieok.adapters.upstash import RedisLock, RedisRateLimiter, connect
from gieok.errors import LockUnavailable, RateLimited
from gieok.ids import new_id
from gieok.types import Scope
from infra.local.servers.upstash import Faults
from tests.support.stack import Stack
from tests.support.world import World, somebody

FAULTS = ["down", "slow", "late", "error"]


@pytest.fixture
def faults(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> Iterator[Faults]:
    """Redis' faults, cleared afterwards; commands wait for a short time only."""
    monkeypatch.setattr(upstash, "TIMEOUT_S", 0.2)
    yield stack.services.redis_faults
    mend(stack.services.redis_faults)


def mend(faults: Faults) -> None:
    faults.down, faults.error, faults.slow_s, faults.late_s = False, "", 0.0, 0.0


def break_by(faults: Faults, kind: str) -> None:
    if kind == "down":
        faults.down = True
    elif kind == "error":
        faults.error = "ERR max daily request limit exceeded"
    else:
        setattr(faults, f"{kind}_s", 0.6)


@pytest.mark.parametrize("kind", FAULTS)
async def test_turns_and_generation_go_on(world: World, faults: Faults, kind: str) -> None:
    haru, user = await world.character(), somebody()
    break_by(faults, kind)
    told = await world.say(user, haru, "레디스 없이도 하는 말")
    assert told.done
    world.clock.ahead = timedelta(hours=3)
    assert await world.generate(user, haru) == ["written", "not_due"]


@pytest_asyncio.fixture
async def locks(stack: Stack) -> AsyncIterator[tuple[RedisLock, RedisLock]]:
    """Two workers' locks; they renew several times within their short life."""
    redis = connect(stack.services.redis_url, stack.services.redis_token)
    yield RedisLock(redis, 1, 0.2), RedisLock(redis, 1, 0.2)
    await redis.close()


def scope() -> Scope:
    return Scope(somebody(), (new_id(),))


async def test_only_one_holds_a_scope_at_a_time(locks: tuple[RedisLock, RedisLock]) -> None:
    one, two, what = *locks, scope()
    async with one.hold(what) as mine, two.hold(what) as theirs:
        assert (mine, theirs) == (True, False)
    async with two.hold(what) as theirs:
        assert theirs


async def test_a_held_lock_outlives_its_time_by_being_renewed(
    locks: tuple[RedisLock, RedisLock],
) -> None:
    one, two, what = *locks, scope()
    async with one.hold(what) as mine:
        assert mine
        await asyncio.sleep(1.5)  # longer than its time to live
        async with two.hold(what) as theirs:
            assert not theirs


async def test_a_lock_that_ran_out_is_not_released_by_its_old_holder(
    locks: tuple[RedisLock, RedisLock], stack: Stack
) -> None:
    redis = connect(stack.services.redis_url, stack.services.redis_token)
    slow = RedisLock(redis, 1, 60)
    _, two = locks
    what = scope()
    async with AsyncExitStack() as second:
        async with slow.hold(what):
            await asyncio.sleep(1.2)  # it runs out, since it is not renewed
            assert await second.enter_async_context(two.hold(what))
        async with slow.hold(what) as again:
            assert not again, "the second holder's lock is still there"
    await redis.close()


async def test_an_answer_that_was_lost_does_not_lose_the_lock(
    locks: tuple[RedisLock, RedisLock], faults: Faults
) -> None:
    """The SET was carried out, its answer came too late: our own token is found there."""
    one, two = locks
    what = scope()
    faults.late_s = 0.6
    mending = asyncio.get_running_loop().call_later(0.1, mend, faults)
    async with one.hold(what) as mine:
        assert mine
        async with two.hold(what) as theirs:
            assert not theirs
    mending.cancel()


async def test_a_lock_that_cannot_be_asked_for_says_so(
    locks: tuple[RedisLock, RedisLock], faults: Faults
) -> None:
    faults.down = True
    with pytest.raises(LockUnavailable):
        async with locks[0].hold(scope()):
            pass


async def test_a_user_has_so_many_requests_a_minute_and_others_have_their_own(
    stack: Stack,
) -> None:
    redis = connect(stack.services.redis_url, stack.services.redis_token)
    limiter, busy = RedisRateLimiter(redis, {"turn": 5, "search": 5, "call": 5}), somebody()
    for _ in range(5):
        await limiter.check(busy, "turn")
    with pytest.raises(RateLimited) as raised:
        await limiter.check(busy, "turn")
    assert 1 <= raised.value.retry_after <= 60
    await limiter.check(somebody(), "turn")
    await redis.close()
