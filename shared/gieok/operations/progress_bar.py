"""How far a command is, on standard error."""

import sys


class ProgressBar:
    """A line that changes in place on a terminal; elsewhere one line for each step."""

    WIDTH = 30

    def __init__(self) -> None:
        self._last = -1

    def end(self) -> None:
        """Go to the next line, when one has begun."""
        if self._last >= 0 and sys.stderr.isatty():
            print(file=sys.stderr)

    def __call__(self, what: str, done: int, of: int) -> None:
        """Show what is being done, and how many of how many are done."""
        # Nothing of nothing: all that lacked was edited or removed meanwhile.
        filled = self.WIDTH * done // of if of else self.WIDTH
        if sys.stderr.isatty():
            bar = "#" * filled + "." * (self.WIDTH - filled)
            print(f"\r{what} [{bar}] {done:,} of {of:,}", end="", file=sys.stderr, flush=True)
        elif filled != self._last:
            print(f"{what}: {done:,} of {of:,}", file=sys.stderr, flush=True)
        self._last = filled
