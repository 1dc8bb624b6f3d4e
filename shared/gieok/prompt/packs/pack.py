"""What a locale pack holds: the wording of every prompt in one language."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChatText:
    """The fixed text around a chat prompt's data. Braces are filled by `str.format`.

    `one` (with {name}) or `several` (with {names}) introduces the cast. `rules` is the don't-invent
    rule, and says how to read fenced data; `knowledge` is added to it with two or more characters.
    `remembered` or `nothing_remembered` follows `memories_title` and the line `now` (with {date},
    {weekday}, {time}). `earlier_title` and `earlier_intro` open the talk of other
    conversations that is no memory yet. `said` shows a quote and `did` an action (with {who},
    {text}).
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
    earlier_title: str
    earlier_intro: str
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
