"""What became of a window."""

from typing import Literal

Outcome = Literal[
    "written",
    "skipped",
    "parked",
    "refused",
    "superseded",
    "failed",
    "waiting",
    "not_due",
    "busy",
]
"""A memory was written; the window held nothing worth keeping; it was parked after its last try, or
because its only message is refused; its content was refused and less of it is tried at once;
another worker was faster, or what it was made from changed; it failed and is tried again; it waits
for that try; nothing is due; another worker holds the scope."""
