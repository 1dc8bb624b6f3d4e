"""What a locale pack holds: the wording of every prompt in one language."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChatText:
    """The fixed text around a chat prompt's data. Braces are filled by `str.format`.

    `one` {name} and `several` {names} introduce the cast. `rules` is the don't-invent rule with how
    to read fenced data; `knowledge` is added with two or more characters. `remembered` and
    `nothing_remembered` follow `memories_title` and the `now` line {date} {weekday} {time}.
    """

    one: str
    several: str
    speech_rules: str
    greeting: str
    rules: str
    knowledge: str
    relationship_title: str
    relationship_intro: str
    user_called: str
    character_called: str
    speech_level: str
    speech_levels: Mapping[str, str]
    standing: str
    promise: str
    boundary: str
    affection: str
    memories_title: str
    now: str
    remembered: str
    nothing_remembered: str
    involved: str
    user: str
    said: str
    did: str
    weekdays: tuple[str, str, str, str, str, str, str]
    """Monday first."""


@dataclass(frozen=True, slots=True)
class ExtractionText:
    """Instructions of the extraction call; `repair` is added to them for the one repair call."""

    instructions: str
    repair: str
