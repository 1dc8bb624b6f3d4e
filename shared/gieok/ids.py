"""Identifiers: UUIDv7 made in the application, shown with a prefix on the wire."""

import os
import time
from typing import Literal
from uuid import UUID

from gieok.errors import InvalidId

Kind = Literal["char", "talk", "turn", "msg", "mem", "req"]


def new_id() -> UUID:
    """A UUIDv7 (RFC 9562, 5.7): 48 bits of Unix milliseconds, then 74 random bits."""
    stamp = time.time_ns() // 1_000_000
    noise = int.from_bytes(os.urandom(10), "big")
    value = (stamp << 80) | (0x7 << 76) | ((noise >> 64 & 0xFFF) << 64) | (0b10 << 62)
    return UUID(int=value | (noise & (1 << 62) - 1))


def show(kind: Kind, value: UUID) -> str:
    """The identifier as clients see it, e.g. ``msg_0199…`` with 32 hex digits."""
    return f"{kind}_{value.hex}"


def parse(kind: Kind, text: str) -> UUID:
    """Read an identifier that `show` made.

    Raises `InvalidId` for another prefix, another length or anything but lower-case hex.
    """
    prefix, _, digits = text.partition("_")
    if prefix != kind or len(digits) != 32 or not set(digits) <= set("0123456789abcdef"):
        raise InvalidId(kind)
    return UUID(hex=digits)
