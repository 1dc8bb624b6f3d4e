"""The form of a model's answer: the schema it is sent and the structs that read it, in one place.

Reading asks for types only. Which value of a type may stand is checked piece by piece (`answer`,
`details`, `facts`), so that one odd fact does not cost a whole window. What the schema tells the
model beyond types is declared beside each field.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from gieok.relationship.rules import AFFECTION, FIELDS, SPEECH_LEVELS
from gieok.types import USER, FactCategory, FactSubject, Reality

CATEGORIES: tuple[FactCategory, ...] = get_args(FactCategory)
"""Who somebody is (profile), likes and dislikes (preference), what was settled (decision), what
somebody is to do (action_item, promises among them), what happened or will (event), who is what to
whom (relation), what holds for now (context)."""
SUBJECTS: tuple[FactSubject, ...] = get_args(FactSubject)
REALITIES: tuple[Reality, ...] = get_args(Reality)

_CAST = "<cast>"
"""Stands in an enum for the names of a window's cast."""


def _one_of(*values: str) -> Meta:
    return Meta(extra_json_schema={"type": "string", "enum": list(values)})


def _between(least: int, most: int) -> Meta:
    return Meta(extra_json_schema={"minimum": least, "maximum": most})


class ProposedDetail(Struct):
    """Something said or done, as a model answers it."""

    kind: Annotated[Literal["quote", "action"], Meta(extra_json_schema={"type": "string"})]
    who: Annotated[str, _one_of(USER, _CAST)]
    character: Annotated[str, _one_of(_CAST)] | None
    text: str
    context: str


class ProposedSubject(Struct):
    """Whose fact a model says it is."""

    kind: Annotated[str, _one_of(*SUBJECTS)]
    name: str


class ProposedFact(Struct):
    """A fact, as a model answers it."""

    category: Annotated[str, _one_of(*CATEGORIES)]
    subject: ProposedSubject
    reality: Annotated[str, _one_of(*REALITIES)]
    text: str
    quote: str
    message_id: str
    confidence: Annotated[float, _between(0, 1)]


class ProposedChange(Struct):
    """The words behind a change of a relationship state, as a model answers them."""

    field: Annotated[str, _one_of(*FIELDS)]
    speaker: Annotated[str, _one_of(USER, _CAST)]
    quote: str


class ProposedState(Struct):
    """Where the user and a character stand now, as a model answers it."""

    character: Annotated[str, _one_of(_CAST)]
    user_called: str
    character_called: str
    # Null rather than "": Gemini refuses an empty text in an enum.
    speech_level: Annotated[str, _one_of(*filter(None, SPEECH_LEVELS))] | None
    standing: str
    promises: list[str]
    boundaries: list[str]
    affection: Annotated[int, _between(-AFFECTION, AFFECTION)]
    changes: list[ProposedChange]


class ProposedAnswer(Struct):
    """A whole answer. Only `worth_keeping` is read when it is false."""

    worth_keeping: bool
    summary: str
    importance: Annotated[int, _between(1, 10)]
    key_details: list[ProposedDetail]
    search_terms: list[str]
    facts: list[ProposedFact]
    relationship_states: list[ProposedState]
    # For the search alone. An answer without them is whole, but harder to find.
    related_terms: list[str] = []
    asked_as: list[str] = []


def schema(cast: Sequence[str]) -> dict[str, object]:
    """JSON Schema of the answer, for a cast: every field required, no other allowed."""
    (answer,), parts = _declared()
    made: dict[str, object] = _spelled_out(answer, parts, list(dict.fromkeys(cast)))
    return made


@cache
def _declared() -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    return msgspec.json.schema_components([ProposedAnswer], ref_template="{name}")


def _spelled_out(node: Any, parts: Mapping[str, Any], cast: Iterable[str]) -> Any:
    """A part of the schema with its references resolved and the cast's names filled in."""
    if isinstance(node, list):
        return [_spelled_out(one, parts, cast) for one in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _spelled_out(parts[node["$ref"]], parts, cast)
    made = {k: _spelled_out(v, parts, cast) for k, v in node.items() if k not in _FOR_READERS}
    if "enum" in made:
        made["enum"] = [v for one in made["enum"] for v in (cast if one == _CAST else [one])]
    if "properties" in made:
        made |= {"required": list(made["properties"]), "additionalProperties": False}
    return made


_FOR_READERS = ("title", "description", "default")
"""What msgspec takes from a class for people, and what a reader may do without; a model is asked
for everything, and the instructions tell it more."""
