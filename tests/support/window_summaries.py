"""Summaries of windows: good ones as a model rewords them, bad ones that repeat something else.

The good ones were written by hand, before any threshold was chosen, for windows of the demo's
Korean conversation: reworded, with names and figures kept and dates worked out. The bad ones share
a friend, a pet or a place with what was said. The chats are whole: both speakers' lines, without
spaces or full stops where people leave them out, and an answer whose every part a careful reader
would keep.
"""

import json
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from gieok.types import Message
from infra.local import demo
from tests.support.prompt_samples import NOW, answer, detail, fact, message

Place = tuple[int, int, int]
"""A window of the demo: its session, its first message, and the one behind its last."""

_SESSIONS = json.loads((Path(demo.__file__).parent / "korean.json").read_text("utf-8"))["sessions"]
_WRITTEN = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

GOOD: dict[Place, str] = {
    (one["session"], one["first"], one["end"]): one["summary"] for one in _WRITTEN["good"]
}


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat of both speakers, and the parts of a good answer to it."""

    cast: list[str]
    said: list[tuple[str, str]]
    good: dict[str, Any]

    @property
    def messages(self) -> list[Message]:
        """What was said, a minute apart."""
        return [
            message(
                text,
                "user" if who == "user" else "assistant",
                "" if who == "user" else who,
                NOW + timedelta(minutes=i),
            )
            for i, (who, text) in enumerate(self.said)
        ]

    def answer(self, **changes: Any) -> str:
        """The good answer as a model writes it, with parts of it changed."""
        details = [detail(**d, character=self.cast[0]) for d in self.good["key_details"]]
        facts = [fact(**f) for f in self.good["facts"]]
        return answer(**{**self.good, "key_details": details, "facts": facts, **changes})


CHATS: dict[str, Chat] = {
    one.pop("name"): Chat(one.pop("cast"), one.pop("said"), one) for one in _WRITTEN["chats"]
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
