"""What became of a window."""

from typing import Literal

Outcome = Literal[
    "written", "skipped", "parked", "superseded", "failed", "waiting", "not_due", "busy"
]
"""A memory was written; the window held nothing worth keeping; it was parked after its last try;
another worker was faster, or what it was made from changed; it failed and is tried again; it waits
for that try; nothing is due; another worker holds the scope."""
