"""What is in the prompt: the product's own, assembled with all its slots, and searched for text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from gieok.ids import new_id
from gieok.policy import COMPANION
from gieok.prompt.assemble import assemble
from gieok.prompt.fence import quoted
from gieok.types import Character, Locale, Recalled, RelationshipState, Turn

_END = re.compile(r"(?<=[.!?。！？])\s")
_PERSONA = {
    "ko": "{name}은(는) 사용자와 오래 이야기해 온 다정하고 장난기 있는 친구다.",
    "en": "{name} is a warm and playful friend who has talked with the user for a long time.",
    "ja": "{name}はユーザーと長く話してきた、優しくてお茶目な友人。",
}


@dataclass(frozen=True, slots=True)
class Stage:
    """What a prompt holds beside its memories, and when it is assembled."""

    character: Character
    now: datetime
    relationships: Mapping[str, RelationshipState]
    turns: Sequence[Turn] = ()


@dataclass(frozen=True, slots=True)
class Prompted:
    """The memories whose beginning is in the prompt, and those whose whole summary is."""

    shown: frozenset[UUID]
    whole: frozenset[UUID]


def character(name: str, locale: Locale) -> Character:
    """A character of few words: the budget of its slot is not that of the memories."""
    return Character(new_id(), name, _PERSONA[locale].format(name=name), "", "", "…", locale)


def prompted(stage: Stage, recalled: Sequence[Recalled], question: str) -> Prompted:
    """Assemble the prompt for a question as a turn does, and look which memories it holds."""
    made = assemble(
        characters=[stage.character],
        relationships=stage.relationships,
        memories=recalled,
        turns=stage.turns,
        message=question,
        now=stage.now,
        time_zone=COMPANION.time_zone,
        locale=stage.character.locale,
        budget=COMPANION.prompt,
    )
    text = "\n".join(section.text for section in made.prompt.sections)
    of = {r.memory.id: quoted(r.memory.summary) for r in recalled}
    return Prompted(
        shown=frozenset(id for id, summary in of.items() if _END.split(summary)[0] in text),
        whole=frozenset(id for id, summary in of.items() if summary in text),
    )
