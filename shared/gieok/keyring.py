"""Users' ciphers, unwrapped once and kept for a short time."""

from collections import OrderedDict
from datetime import datetime, timedelta

from gieok.crypto import UserCipher
from gieok.ports import Clock, KeyService
from gieok.types import UserId

KEEP = timedelta(minutes=5)
"""A destroyed key is refused everywhere within this time (spec 3)."""
CAPACITY = 1_000


class Keyring:
    """A bounded cache in front of a key service.

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
        kept = self._ciphers.get((user_id, wrapped))
        if kept and kept[1] > self._clock.now():
            return kept[0]
        return self._keep(user_id, wrapped, await self._service.unwrap(user_id, wrapped))

    def _keep(self, user_id: UserId, wrapped: bytes, plain: bytes) -> UserCipher:
        cipher = UserCipher(user_id, plain)
        self._ciphers.pop((user_id, wrapped), None)
        self._ciphers[(user_id, wrapped)] = (cipher, self._clock.now() + KEEP)
        while len(self._ciphers) > CAPACITY:
            self._ciphers.popitem(last=False)
        return cipher
