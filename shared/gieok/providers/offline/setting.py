"""What a reply takes from its prompt beside the memories: who speaks, how, and at what hour."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gieok.prompt import fence
from gieok.prompt.packs.by_locale import CHAT_TEXT
from gieok.types import Locale, SpeechLevel

_CLOCK = re.compile(r"\b(\d{1,2}):\d{2}\b")
_LIKES = re.compile(
    r"(?:좋아하는 것|좋아하는 것들|likes|loves|好きなもの|好きなこと)\s?[::]\s*(?P<list>[^\n.。]+)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"\s*[,、·]\s*")


@dataclass(frozen=True, slots=True)
class Setting:
    """Who speaks to whom.

    `level` is "" where neither the relationship nor the character's description tells it. `likes`
    are what the description says the character likes; `hour`, 0 to 23, is the user's.
    """

    name: str = ""
    user_called: str = ""
    level: SpeechLevel = ""
    likes: tuple[str, ...] = ()
    hour: int | None = None


UNKNOWN = Setting()
"""Of a prompt that tells nothing."""


def setting_of(sections: Mapping[str, str], locale: Locale) -> Setting:
    """Read the sections of a prompt, by their names."""
    character, memories = sections.get("character", ""), sections.get("memories", "")
    relationship = sections.get("relationship", "")
    standing = [line for item in fence.unwrap(relationship) for line in item.lines]
    text, clock = CHAT_TEXT[locale], _CLOCK.search(memories[: memories.find("<memories ")])
    shown = _labelled(standing, text.speech_level)
    level = next((name for name, value in text.speech_levels.items() if value == shown), "")
    likes = _LIKES.search(character)
    return Setting(
        name=_name(character, text.one),
        user_called=_labelled(standing, text.user_called),
        level=_level(level) or _described(character),
        likes=tuple(filter(None, _SEPARATOR.split(likes["list"].strip()))) if likes else (),
        hour=int(clock[1]) if clock else None,
    )


def _labelled(lines: list[str], label: str) -> str:
    found = (line.partition(": ") for line in lines)
    return next((value for name, _, value in found if name == label), "")


def _name(character: str, template: str) -> str:
    before, _, after = template.partition("{name}")
    found = re.match(rf"{re.escape(before)}(?P<name>[^\n]+?){re.escape(after)}", character)
    return found["name"] if found else ""


def _level(name: str) -> SpeechLevel:
    levels: tuple[SpeechLevel, ...] = ("존댓말", "반말")
    return next((level for level in levels if level == name), "")


def _described(character: str) -> SpeechLevel:
    polite, plain = character.count("존댓말"), character.count("반말")
    return "반말" if plain > polite else "존댓말" if polite else ""
