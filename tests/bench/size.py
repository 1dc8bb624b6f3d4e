"""How much is measured: as `make bench` does it, or so little that a test can run it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """Counts of rows and of repetitions."""

    users: int = 200
    of_each: int = 1_000
    few_users: int = 20
    small: int = 100
    large: int = 10_000
    others: int = 1_000_000
    """Memories of other users, in the end."""
    questions: int = 300
    turns: int = 400
    streams: int = 200
    deltas: int = 2_000
    windows: int = 400
    workers: int = 5
    """Processes at once: the deployed `MemoryWorkerConcurrency`."""
    imports: int = 5


FULL = Size()
TINY = Size(
    users=4,
    of_each=30,
    few_users=2,
    small=5,
    large=60,
    others=200,
    questions=6,
    turns=6,
    streams=4,
    deltas=20,
    windows=4,
    workers=1,
    imports=0,
)
