"""A window as an extraction is made from it and checked against it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from uuid import UUID

from gieok.extraction.evidence import Evidence, evidence_of
from gieok.extraction.quotes import Transcript
from gieok.language import marks
from gieok.types import USER, Locale, Message, Relationship


@dataclass(frozen=True)
class WindowContext:
    """The messages of a window with what the model is shown beside them.

    `messages` are decrypted, oldest first; `earlier` are those just before the window, which tell
    whom and what it refers to: nothing in them counts as said in it. `relationships` are the
    versions that stood before, by character name; a character without one is left out. A message's
    time is read in its own zone of `zones`, by message id, else in `time_zone`; all are IANA names.
    """

    cast: tuple[str, ...]
    messages: tuple[Message, ...]
    time_zone: str
    locale: Locale
    relationships: Mapping[str, Relationship] = field(default_factory=dict)
    zones: Mapping[UUID, str] = field(default_factory=dict)
    earlier: tuple[Message, ...] = ()

    @cached_property
    def transcript(self) -> Transcript:
        """Who said what, to look quotes up in; messages of the system are left out."""
        return Transcript(self.messages)

    @cached_property
    def evidence(self) -> Evidence:
        """What the user may be said to have told."""
        return evidence_of(self.transcript.lines, self.cast)

    @cached_property
    def is_played(self) -> bool:
        """Whether at least half of what the user says is played."""
        own = [line.text for line in self.transcript.lines if line.speaker == USER]
        return marks.is_played(own)

    @property
    def lines(self) -> Sequence[str]:
        """What was said, oldest first."""
        return [message.text for message in self.transcript.messages]

    @property
    def names(self) -> Sequence[str]:
        """What those who talk are called: such words tell nothing of what they talk about."""
        called = (version.state.user_called for version in self.relationships.values())
        return [*self.cast, *called]
