"""Ctrl-C and its like, heard between two steps and never in the middle of one."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType


class Interrupted(Exception):
    """Somebody asked the run to end; not a failure."""


@dataclass(slots=True)
class Interruption:
    """Whether an end was asked for. A second Ctrl-C changes nothing: the first is being obeyed."""

    heard: bool = False

    def check(self) -> None:
        """Raises `Interrupted` once a signal came."""
        if self.heard:
            raise Interrupted

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Listen for Ctrl-C, SIGTERM and a closed terminal; then as before."""
        kinds = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = {kind: signal.signal(kind, self._hear) for kind in kinds}
        try:
            yield
        finally:
            for kind, handler in before.items():
                signal.signal(kind, handler)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.heard = True
