"""Users' ciphers, unwrapped once and kept for a short time."""

import asyncio
from collections import OrderedDict
from datetime import datetime, timedelta

from gieok.ports import Clock, KeyService
from gieok.privacy.cipher import UserCipher
from gieok.types import UserId

KEEP = timedelta(minutes=5)
"""A destroyed key is refused everywhere within this time."""
CAPACITY = 1_000


class Keyring:
    """A cache in front of a key service: at most `CAPACITY` ciphers, none longer than `KEEP`.

    Keyed by user *and* wrapped key, which callers read from the database each time: a key that was
    destroyed or replaced there is never served from here.
    """

    def __init__(self, service: KeyService, clock: Clock) -> None:
        self._service = service
        self._clock = clock
        self._ciphers: OrderedDict[tuple[UserId, bytes], tuple[UserCipher, datetime]] = (
            OrderedDict()
        )

    async def create(self, user_id: UserId) -> tuple[UserCipher, bytes]:
        """A cipher under a new data key, and the wrapped key to store.

        Raises `KeyServiceUnavailable`.
        """
        plain, wrapped = await self._service.generate(user_id)
        return self._keep(user_id, wrapped, plain), wrapped

    async def open(self, user_id: UserId, wrapped: bytes) -> UserCipher:
        """The cipher of a stored key.

        Raises `DecryptionFailed` for a key that is not this user's, `KeyServiceUnavailable`.
        """
        self._forget_expired()
        kept = self._ciphers.get((user_id, wrapped))
        if kept:
            return kept[0]
        return self._keep(user_id, wrapped, await self._service.unwrap(user_id, wrapped))

    def _keep(self, user_id: UserId, wrapped: bytes, plain: bytes) -> UserCipher:
        self._forget_expired()
        key, cipher = (user_id, wrapped), UserCipher(user_id, plain)
        self._ciphers.pop(key, None)
        self._ciphers[key] = (cipher, self._clock.now() + KEEP)
        while len(self._ciphers) > CAPACITY:
            self._ciphers.popitem(last=False)
        # An idle process forgets too. A frozen one has no timers: hence the look at each call.
        asyncio.get_running_loop().call_later(KEEP.total_seconds(), self._ciphers.pop, key, None)
        return cipher

    def _forget_expired(self) -> None:
        """All are kept equally long, so the oldest come first."""
        now = self._clock.now()
        while self._ciphers:
            key, (_, until) = next(iter(self._ciphers.items()))
            if until > now:
                return
            del self._ciphers[key]
