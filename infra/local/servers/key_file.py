"""The laptop's stand-in for KMS: a key in a file that only its owner may read."""

import os
import secrets
from pathlib import Path

from infra.local.errors import CannotRun

KEY_BYTES = 32
"""Bytes of a key of AES-256."""


def ensure(path: Path, data: Path) -> None:
    """Make the key that wraps the users' data keys, unless it is there.

    Raises `CannotRun` when it is damaged, or when it is gone although `data`, which needs it, is
    there: a new key would make all of that unreadable for good.
    """
    if path.exists():
        _check(path)
    elif data.exists():
        raise CannotRun(
            f"{path} is gone and what {data} holds is unreadable without it: put it back, or move"
            f" {data} away to start anew"
        )
    else:
        write_private(path, f"{secrets.token_hex(KEY_BYTES)}\n".encode())


def write_private(path: Path, content: bytes) -> None:
    """Write a file of mode 0600 as a whole or not at all."""
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(descriptor)
    draft.replace(path)


def _check(path: Path) -> None:
    try:
        found = bytes.fromhex(path.read_text().strip())
    except ValueError:
        found = b""
    if len(found) != KEY_BYTES:
        raise CannotRun(f"{path} is damaged: it must hold {2 * KEY_BYTES} hex digits")
