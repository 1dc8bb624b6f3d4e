"""What cannot be decrypted is dropped and counted, never shown and never fatal: the one place."""

from collections.abc import Callable
from typing import Any, TypeVar
from uuid import UUID

from gieok import telemetry
from gieok.errors import DecryptionFailed

T = TypeVar("T")


def open_or_drop(what: str, unseal: Callable[..., T], *arguments: object, **ids: UUID) -> T | None:
    """What `unseal` makes of its arguments; None when it raises `DecryptionFailed`.

    Then "undecryptable_<what>" is counted, with the ids of the row.
    """
    try:
        return unseal(*arguments)
    except DecryptionFailed:
        told: dict[str, Any] = {name: str(value) for name, value in ids.items()}
        telemetry.setback(f"undecryptable_{what}", **told)
        return None
