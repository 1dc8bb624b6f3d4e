"""Who said what in a text that one model wrote for several characters, or for one by its name.

A label is a name of the cast at the beginning of a line with a colon behind it, as the packs ask
for it, also in bold. A name of nobody in the cast is no label.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from gieok.types import Message

_MARKS = " \t\n*_:："
"""What may stand around a name in its label."""


def spoken_parts(text: str, cast: Sequence[str], otherwise: str) -> tuple[tuple[str, str], ...]:
    """Who of the cast said what, in order; labels are left out, and nobody comes twice in a row.

    What stands before the first label belongs to the one it names. Without any label all of it is
    of `otherwise`.
    """
    parts: list[tuple[str, str]] = []
    for name, words in _pieces(text, cast):
        if words and parts and parts[-1][0] == name:
            parts[-1] = (name, f"{parts[-1][1]}\n{words}")
        elif words:
            parts.append((name, words))
    return tuple(parts) if parts else ((otherwise, text),)


def _pieces(text: str, cast: Sequence[str]) -> Iterator[tuple[str, str]]:
    labels = list(_label(cast).finditer(text)) if any(cast) else []
    edges = [*(label.start() for label in labels), len(text)]
    if labels:
        yield _named(labels[0]), text[: edges[0]].strip()
    for label, end in zip(labels, edges[1:], strict=True):
        yield _named(label), text[label.end() : end].strip()


def _named(label: re.Match[str]) -> str:
    return label["bold"] or label["plain"]


def _label(cast: Iterable[str]) -> re.Pattern[str]:
    # The longest first, so that a name is not taken for one that begins like it.
    names = "|".join(re.escape(name) for name in sorted(filter(None, cast), key=len, reverse=True))
    bold = rf"(?P<mark>\*\*?|__?)(?P<bold>{names})(?:(?P=mark)[ \t]*[:：]|[ \t]*[:：](?P=mark))"
    return re.compile(rf"^[ \t]*(?:{bold}|(?P<plain>{names})[ \t]*[:：])[ \t]*", re.MULTILINE)


def spoken_messages(message: Message, cast: Sequence[str]) -> tuple[Message, ...]:
    """An answer as the messages of those who speak in it, all with its id and time.

    Any other message stays as it is.
    """
    if message.role != "assistant":
        return (message,)
    parts = spoken_parts(message.text, cast, message.speaker)
    return tuple(replace(message, speaker=name, text=words) for name, words in parts)


class OwnLabel:
    """Leaves out the label with which a lone character's answer begins, while it streams."""

    def __init__(self, name: str) -> None:
        self._name, self._label = name, _label([name])
        self._held = ""
        self._begun = not name

    def feed(self, piece: str) -> str:
        """What can be told of the answer so far: nothing while it may still be its label."""
        if self._begun:
            return piece
        self._held += piece
        return "" if self._name.startswith(self._held.strip(_MARKS)) else self.rest()

    def rest(self) -> str:
        """What was held back, when no more comes."""
        held, self._held, self._begun = self._held, "", True
        label = self._label.match(held.lstrip())
        return held.lstrip()[label.end() :].lstrip() if label else held
