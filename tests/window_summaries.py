"""Summaries of windows: good ones as a model rewords them, bad ones that repeat something else.

The good ones were written by hand, before any threshold was chosen, for windows of the demo's
Korean conversation: reworded, with names and figures kept and dates worked out. The bad ones share
a friend, a pet or a place with what was said.
"""

import json
from pathlib import Path

from infra.local import demo

Place = tuple[int, int, int]
"""A window of the demo: its session, its first message, and the one behind its last."""

_SESSIONS = json.loads((Path(demo.__file__).parent / "korean.json").read_text("utf-8"))["sessions"]
_WRITTEN = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

GOOD: dict[Place, str] = {
    (one["session"], one["first"], one["end"]): one["summary"] for one in _WRITTEN["good"]
}


def said_in(window: Place) -> list[str]:
    """What the user said in a window; the character's answers are left out."""
    session, first, end = window
    messages: list[str] = _SESSIONS[session]["messages"][first:end]
    return messages


BAD: list[tuple[list[str], str]] = [
    *((one["said"], one["summary"]) for one in _WRITTEN["bad"]),
    *((said_in(window), GOOD[other]) for window in GOOD for other in GOOD if other != window),
]
"""What was said, and a summary of something else: those written to deceive, and each good one
against every other window of the same person."""
