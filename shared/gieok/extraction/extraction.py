"""What one window leaves behind, checked: what is saved of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gieok.types import Fact, KeyDetail, Relationship


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one window left behind, after validation. `worth_keeping` False: the rest is empty.

    `relationships` is keyed by character name; a character that did not change is left out.
    `related_terms` and `asked_as` are for the search alone: words that are not in the window, and
    how the user may allude to it later. `dropped` counts by kind ("details", "facts", "changes")
    what did not stand.
    """

    worth_keeping: bool
    summary: str = ""
    importance: int = 1
    details: tuple[KeyDetail, ...] = ()
    search_terms: tuple[str, ...] = ()
    related_terms: tuple[str, ...] = ()
    asked_as: tuple[str, ...] = ()
    relationships: Mapping[str, Relationship] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
