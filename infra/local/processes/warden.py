"""Ends the children of a supervisor that died without ending them.

As a process of its own: `python -m infra.local.processes.warden`. The supervisor writes each
child's trace into the warden's standard input. That input ends when the supervisor ends, whatever
killed it; then the warden ends the children that still run.
"""

import sys

from infra.local.processes import leftovers


def main() -> None:
    """Read traces until the supervisor is gone, then end what it left behind."""
    leftovers.end([leftovers.Trace.parse(line) for line in sys.stdin])


if __name__ == "__main__":
    main()
