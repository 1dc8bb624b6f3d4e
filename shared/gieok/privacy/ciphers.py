"""The cipher of a user who may be new: the key as it was read is opened, or a first one is made."""

from gieok.errors import KeyDestroyed
from gieok.privacy.cipher import UserCipher
from gieok.privacy.keyring import Keyring
from gieok.store import keys
from gieok.store.database import Database
from gieok.types import UserId


async def cipher_of(
    database: Database, keyring: Keyring, user_id: UserId, stored: keys.StoredKey | None
) -> UserCipher:
    """The user's cipher by the key as it was read; a user who has none gets one, and it is kept.

    Raises `KeyDestroyed`, `KeyServiceUnavailable`, `DatabaseUnavailable`, `DecryptionFailed`.
    """
    if stored is None:
        _, wrapped = await keyring.create(user_id)
        key = keys.read_user_key(user_id)
        got = await database.run(user_id, keys.store_user_key(user_id, wrapped), key)
        stored = got[key]
    if stored is None or stored.wrapped is None:
        raise KeyDestroyed
    return await keyring.open(user_id, stored.wrapped)
