"""Ctrl-C and its like take effect between two steps and never in the middle of one."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType


class Interrupted(Exception):
    """Somebody asked the run to end, which is not a failure."""


@dataclass(slots=True)
class Interruption:
    """Whether an end was asked for. A second Ctrl-C changes nothing, since the first is obeyed."""

    heard: bool = False

    def check(self) -> None:
        """Raise `Interrupted` when a signal has come."""
        if self.heard:
            raise Interrupted

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Listen for Ctrl-C, SIGTERM and a closed terminal; then put the old handlers back."""
        kinds = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = {kind: signal.signal(kind, self._hear) for kind in kinds}
        try:
            yield
        finally:
            for kind, handler in before.items():
                signal.signal(kind, handler)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.heard = True
