"""AES-256-GCM under a user's own data key, bound to user, table, column and row.

A sealed cell is one version byte, a 96-bit random nonce (NIST SP 800-38D, 8.2.2), then ciphertext
and tag. The binding is authenticated, not stored: a cell moved to another place does not open.
The version says whether the text was deflated before.
"""

import hmac
import os
import zlib
from dataclasses import dataclass
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from gieok.errors import DecryptionFailed
from gieok.types import UserId

VERSION = b"\x01"
DEFLATED = b"\x02"
NONCE_BYTES = 12
KEY_BYTES = 32
_RAW = -15
"""What zlib calls deflate without a header."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a ciphertext lives. `table` includes its schema."""

    table: str
    column: str
    row: UUID


class UserCipher:
    """One user's data key at work. Holds the key in memory only; has no useful repr on purpose."""

    def __init__(self, user_id: UserId, data_key: bytes) -> None:
        self._bound_user = _framed(user_id)
        self._aead = AESGCM(data_key)
        self.index_key = derive_index_key(data_key)
        self.fact_key = _derived(data_key, b"gieok fact 1")
        self._digest_key = _derived(data_key, b"gieok request 1")

    def seal(self, cell: Cell, text: str) -> bytes:
        """Encrypt for exactly this cell."""
        return self._sealed(VERSION, cell, text.encode())

    def seal_deflated(self, cell: Cell, text: str) -> bytes:
        """The same in fewer bytes, for texts that rest long: a third less of a Korean summary.

        The length then tells how much a text repeats itself, beside how long it is.
        """
        packer = zlib.compressobj(9, zlib.DEFLATED, _RAW)
        return self._sealed(DEFLATED, cell, packer.compress(text.encode()) + packer.flush())

    def open(self, cell: Cell, sealed: bytes) -> str:
        """Decrypt what `seal` or `seal_deflated` made for this cell.

        Raises `DecryptionFailed` for another user's, another cell's or a damaged ciphertext.
        """
        version, nonce = sealed[:1], sealed[1 : 1 + NONCE_BYTES]
        if version not in (VERSION, DEFLATED):
            raise DecryptionFailed("unknown ciphertext version")
        try:
            binding = self._binding(version, cell)
            body = self._aead.decrypt(nonce, sealed[1 + NONCE_BYTES :], binding)
            return (zlib.decompress(body, _RAW) if version == DEFLATED else body).decode()
        except (InvalidTag, ValueError, zlib.error) as error:
            raise DecryptionFailed(f"{cell.table}.{cell.column}") from error

    def request_digest(self, client_message_id: str, text: str) -> bytes:
        """32 bytes that tell whether a request is the one that came with this id before.

        Bound to the id, so that equal texts of two requests have nothing in common.
        """
        told = f"{client_message_id}\0{text}".encode()
        return hmac.digest(self._digest_key, told, "sha256")

    def _sealed(self, version: bytes, cell: Cell, body: bytes) -> bytes:
        nonce = os.urandom(NONCE_BYTES)
        return version + nonce + self._aead.encrypt(nonce, body, self._binding(version, cell))

    def _binding(self, version: bytes, cell: Cell) -> bytes:
        place = _framed(cell.table) + _framed(cell.column) + _framed(cell.row.hex)
        return version + self._bound_user + place


def derive_index_key(data_key: bytes) -> bytes:
    """The 32-byte key of a user's digests, by HKDF-SHA-256 from the user's data key."""
    return _derived(data_key, b"gieok keyword index 1")


def _derived(data_key: bytes, purpose: bytes) -> bytes:
    return HKDF(SHA256(), 32, salt=None, info=purpose).derive(data_key)


def _framed(part: str) -> bytes:
    """Prefixed by its length, so that no two bindings can spell the same bytes."""
    raw = part.encode()
    return len(raw).to_bytes(4, "big") + raw
