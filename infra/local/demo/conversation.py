"""What the demonstration replays and asks, and when a question's evidence counts as recalled."""

import unicodedata
from pathlib import Path

import msgspec

from gieok.types import Locale


class Session(msgspec.Struct, frozen=True):
    """What the user says in one session. `when` it plays is for the reader only."""

    when: str
    messages: tuple[str, ...]


Piece = str | tuple[str, ...]
"""Words of one message of the user. Where there are several, any one of them stands for the
message."""


class Question(msgspec.Struct, frozen=True):
    """A question that is asked later. Each piece of evidence answers a part; all are wanted."""

    text: str
    evidence: tuple[Piece, ...]


class Unanswerable(msgspec.Struct, frozen=True):
    """A question about something that was never said: none of `absent` occurs in any message."""

    text: str
    absent: tuple[str, ...]


class Conversation(msgspec.Struct, frozen=True):
    """A benchmark in miniature. `note` is one line for the reader of its results."""

    name: str
    locale: Locale
    note: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]
    unanswerable: tuple[Unanswerable, ...] = ()

    @property
    def messages(self) -> tuple[str, ...]:
        """Everything the user says, in order."""
        return tuple(m for session in self.sessions for m in session.messages)


def korean() -> Conversation:
    """The Korean conversation that ships with the project."""
    text = Path(__file__).with_name("korean.json").read_bytes()
    return msgspec.json.decode(text, type=Conversation)


def comparable(text: str) -> str:
    """The form in which evidence is looked for: NFKC, case folded, without white space.

    It is not the engine's own normal form, since that is part of what is measured.
    """
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def holds(text: str, piece: Piece) -> bool:
    """Whether the text contains the piece of evidence."""
    wanted = (piece,) if isinstance(piece, str) else piece
    return any(comparable(words) in comparable(text) for words in wanted)
