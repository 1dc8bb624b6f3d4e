"""The generation lock and the rate limiter, over Upstash Redis' REST protocol."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import httpx
from upstash_redis.asyncio import Redis
from upstash_redis.errors import UpstashError

from gieok import telemetry
from gieok.errors import LockUnavailable, RateLimited
from gieok.types import RequestKind, Scope, UserId

T = TypeVar("T")

TIMEOUT_S = 1.0
"""Seconds that one command may take; the SDK itself has no time-out."""

_RELEASE = """
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
"""
_RENEW = """
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return 0
"""
# A sliding window over two fixed ones: the last window counts for the part of it still in sight.
_COUNT = """
local now, width, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local window = math.floor(now / width)
local last = tonumber(redis.call('GET', KEYS[1] .. ':' .. (window - 1)) or '0')
local current = tonumber(redis.call('GET', KEYS[1] .. ':' .. window) or '0')
local elapsed = now - window * width
if current + last * (1 - elapsed / width) >= limit then return math.ceil(width - elapsed) end
redis.call('INCR', KEYS[1] .. ':' .. window)
redis.call('EXPIRE', KEYS[1] .. ':' .. window, 2 * width)
return 0
"""


def connect(url: str, token: str) -> Redis:
    """A client without telemetry and without retries, since a retried SET NX loses its own lock."""
    return Redis(url, token, rest_retries=0, allow_telemetry=False)


@asynccontextmanager
async def _answering() -> AsyncIterator[None]:
    """What is asked of Redis inside is answered in time, or raises `LockUnavailable`."""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            yield
    except (TimeoutError, UpstashError, httpx.HTTPError, ValueError, KeyError) as error:
        raise LockUnavailable("Redis did not answer as it should") from error


class RedisLock:
    """The lock is `SET key token NX EX`; a heartbeat renews it, and only its owner releases it."""

    def __init__(self, redis: Redis, ttl_s: int, heartbeat_s: float) -> None:
        self._redis = redis
        self._ttl_s = ttl_s
        self._heartbeat_s = heartbeat_s

    @asynccontextmanager
    async def hold(self, scope: Scope) -> AsyncIterator[bool]:
        """See `ports.Lock`."""
        key = f"memory:gen:{scope.user_id}:{'+'.join(c.hex for c in scope.character_ids)}"
        token = secrets.token_hex(16)
        if not await self._acquire(key, token):
            yield False
            return
        heartbeat = asyncio.create_task(self._renew(key, token))
        try:
            yield True
        finally:
            heartbeat.cancel()
            with suppress(LockUnavailable):
                async with _answering():
                    await self._redis.eval(_RELEASE, [key], [token])

    async def _acquire(self, key: str, token: str) -> bool:
        """Take the lock. Redis may have given it although its answer got lost on the way back, so
        we look for our own token before giving up."""
        try:
            async with _answering():
                return bool(await self._redis.set(key, token, nx=True, ex=self._ttl_s))
        except LockUnavailable:
            async with _answering():
                if await self._redis.get(key) == token:
                    return True
            raise

    async def _renew(self, key: str, token: str) -> None:
        """Renew the lock until somebody else has it. Harm is kept off by the database's fence, not
        by this."""
        while True:
            await asyncio.sleep(self._heartbeat_s)
            try:
                async with _answering():
                    kept: Any = await self._redis.eval(_RENEW, [key], [token, str(self._ttl_s)])
            except LockUnavailable:
                telemetry.setback("lock_renewal_failed")
                continue
            if not kept:
                telemetry.setback("lock_lost")
                return


class RedisRateLimiter:
    """A sliding window of one minute per user and kind of request."""

    WINDOW_S = 60

    def __init__(self, redis: Redis, limits: Mapping[RequestKind, int]) -> None:
        self._redis = redis
        self._limits = limits

    async def check(self, user_id: UserId, kind: RequestKind) -> None:
        """See `ports.RateLimiter`."""
        arguments = [repr(time.time()), str(self.WINDOW_S), str(self._limits[kind])]
        async with _answering():
            wait: Any = await self._redis.eval(_COUNT, [f"rate:{kind}:{user_id}"], arguments)
        if int(wait) > 0:
            raise RateLimited(int(wait))
