"""Where data keys are wrapped: AWS KMS in the cloud, a key file on a laptop."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from botocore.exceptions import BotoCoreError, ClientError
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from gieok.errors import DecryptionFailed, KeyServiceUnavailable, Misconfigured
from gieok.privacy.cipher import KEY_BYTES, NONCE_BYTES
from gieok.types import UserId

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient

T = TypeVar("T")

_NOT_THIS_USERS = {"InvalidCiphertextException", "IncorrectKeyException"}


class KmsKeyService:
    """AWS KMS; the user's id is the encryption context, so a wrapped key serves one user only."""

    def __init__(self, client: "KMSClient", key_id: str) -> None:
        self._client = client
        self._key_id = key_id

    async def generate(self, user_id: UserId) -> tuple[bytes, bytes]:
        """See `ports.KeyService`."""
        answer = await _ask(
            lambda: self._client.generate_data_key(
                KeyId=self._key_id, KeySpec="AES_256", EncryptionContext={"user": user_id}
            )
        )
        return answer["Plaintext"], answer["CiphertextBlob"]

    async def unwrap(self, user_id: UserId, wrapped: bytes) -> bytes:
        """See `ports.KeyService`."""
        answer = await _ask(
            lambda: self._client.decrypt(
                KeyId=self._key_id, CiphertextBlob=wrapped, EncryptionContext={"user": user_id}
            )
        )
        return answer["Plaintext"]


async def _ask(call: Callable[[], T]) -> T:
    """Run a blocking SDK call in a thread and translate what it raises."""
    try:
        return await asyncio.to_thread(call)
    except ClientError as error:
        if error.response["Error"].get("Code") in _NOT_THIS_USERS:
            raise DecryptionFailed("user_keys.wrapped") from error
        raise KeyServiceUnavailable("KMS refused") from error
    except BotoCoreError as error:
        raise KeyServiceUnavailable("KMS did not answer") from error


class FileKeyService:
    """A 256-bit key in a file of 64 hex digits: for the laptop, refused elsewhere by `settings`."""

    def __init__(self, path: Path) -> None:
        try:
            self._aead = AESGCM(bytes.fromhex(path.read_text().strip()))
        except (OSError, ValueError) as error:
            raise Misconfigured(f"{path} must hold a key of 64 hex digits") from error

    async def generate(self, user_id: UserId) -> tuple[bytes, bytes]:
        """See `ports.KeyService`."""
        plain, nonce = os.urandom(KEY_BYTES), os.urandom(NONCE_BYTES)
        return plain, nonce + self._aead.encrypt(nonce, plain, user_id.encode())

    async def unwrap(self, user_id: UserId, wrapped: bytes) -> bytes:
        """See `ports.KeyService`."""
        nonce, body = wrapped[:NONCE_BYTES], wrapped[NONCE_BYTES:]
        try:
            return self._aead.decrypt(nonce, body, user_id.encode())
        except (InvalidTag, ValueError) as error:
            raise DecryptionFailed("user_keys.wrapped") from error
