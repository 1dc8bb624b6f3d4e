"""Find and end the processes that a killed supervisor left behind, and never any other.

A process id alone proves nothing, since it may have been given to another process: a trace holds
the start time too.
"""

import json
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import psutil

GRACE_S = 10.0
"""Seconds that a leftover has to end by its own signal before it is killed."""

CLOCK_SLACK_S = 2.0
"""Seconds by which two readings of a process's start time may differ. They are derived from the
wall clock at boot, which is corrected now and then."""


@dataclass(frozen=True, slots=True)
class Trace:
    """A process as it can be recognised later; `started` is in seconds since 1970."""

    pid: int
    started: float
    stop_signal: int

    @classmethod
    def of(cls, pid: int, stop_signal: signal.Signals) -> Self:
        """The trace of a process of ours that runs, or that has not been waited for yet."""
        return cls(pid, psutil.Process(pid).create_time(), stop_signal)

    @classmethod
    def parse(cls, line: str | bytes) -> Self:
        """Read what `line` wrote. Raises `ValueError` or `TypeError` for anything else."""
        return cls(**json.loads(line))

    def line(self) -> str:
        """The trace as one line of JSON."""
        return json.dumps(asdict(self)) + "\n"


def write(path: Path, traces: Iterable[Trace]) -> None:
    """Replace the record as a whole, so that no reader finds half of one."""
    draft = path.with_suffix(".new")
    draft.write_text("".join(t.line() for t in traces))
    draft.replace(path)


def read(path: Path) -> list[Trace]:
    """The traces of an earlier run; none when it ended well, or when the file makes no sense."""
    try:
        return [Trace.parse(line) for line in path.read_text().splitlines()]
    except (FileNotFoundError, ValueError, TypeError):
        return []


def end(traces: list[Trace]) -> None:
    """End those that still run, the last one first; returns when they are gone."""
    for trace in reversed(traces):
        found = _find(trace)
        if found:
            end_one(found, trace.stop_signal)


def end_one(process: psutil.Process, stop_signal: int, grace_s: float = GRACE_S) -> None:
    """Signal a process, be it our child or not, and kill it when it is not gone after its grace."""
    for attempt in (stop_signal, signal.SIGKILL):
        with suppress(psutil.NoSuchProcess):
            process.send_signal(attempt)
        if _gone_within(process, grace_s):
            return


def _find(trace: Trace) -> psutil.Process | None:
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(trace.pid)
        if abs(process.create_time() - trace.started) < CLOCK_SLACK_S:
            return process
    return None


def _gone_within(process: psutil.Process, seconds: float) -> bool:
    """Whether a process ends in time. A zombie counts as gone: it only waits for its parent to
    notice, and in a container nobody may."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(psutil.NoSuchProcess):
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                time.sleep(0.02)
                continue
        return True
    return False
