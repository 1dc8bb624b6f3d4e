"""A question as a fast model restates it: in statements for the meaning, in terms for the words.

It is help, and never waited for long: late, failed or unreadable, recall goes on without it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec

from gieok import telemetry
from gieok.calls import Assignment, ModelUse, StructuredPrompt
from gieok.engine import Engine
from gieok.errors import ModelError, ModelTimeout
from gieok.loose_json import objects
from gieok.prompt.fence import one_line
from gieok.prompt.packs import en, ja, ko
from gieok.types import Locale, RewriteStatus

STATEMENTS, TERMS = 2, 12
"""What is used of an answer, at most."""
STATEMENT_CHARS, TERM_CHARS = 200, 40
"""Characters of one of each, at most."""

_LISTS = frozenset(("statements", "terms"))
_INSTRUCTIONS: Mapping[Locale, str] = {"ko": ko.REWRITING, "en": en.REWRITING, "ja": ja.REWRITING}


class Rewrite(msgspec.Struct, frozen=True):
    """What the question may be answered by: sentences as a memory would say them, and words."""

    statements: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()


NOTHING = Rewrite()


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A rewrite, empty when there is none, and how it came about."""

    status: RewriteStatus
    rewrite: Rewrite = NOTHING


async def rewrite(
    engine: Engine, assignment: Assignment, question: str, locale: Locale, uses: list[ModelUse]
) -> Rewriting:
    """The question restated by the task's first model, within the policy's seconds; no error."""
    first = replace(assignment, choices=assignment.choices[:1])
    prompt = request(question, locale)
    try:
        reply = await engine.models.structured(first, prompt, engine.policy.recall.rewrite_s, uses)
        return Rewriting("used", read(reply.text))
    except (ModelError, msgspec.ValidationError) as error:
        late = isinstance(error, ModelTimeout)
        code = error.code if isinstance(error, ModelError) else "model_malformed"
        telemetry.setback("rewriting_failed", code=code)
        return Rewriting("late" if late else "failed")


def request(question: str, locale: Locale) -> StructuredPrompt:
    """The call: nothing but the question travels with the instructions."""
    payload = json.dumps({"question": question}, ensure_ascii=False)
    return StructuredPrompt(
        "QUERY", _INSTRUCTIONS[locale], payload.encode("utf-8", "replace").decode(), _schema()
    )


def read(answer: str) -> Rewrite:
    """The answer, cut to its bounds. Raises `msgspec.ValidationError` for another form."""
    try:
        found = msgspec.convert(next(objects(answer, _LISTS), None), Rewrite)
    except UnicodeError:  # a lone surrogate where no text belongs
        raise msgspec.ValidationError("a lone surrogate") from None
    return Rewrite(
        _bounded(found.statements, STATEMENTS, STATEMENT_CHARS),
        _bounded(found.terms, TERMS, TERM_CHARS),
    )


def _bounded(texts: tuple[str, ...], count: int, chars: int) -> tuple[str, ...]:
    said = dict.fromkeys(one_line(text)[:chars].strip() for text in texts)
    return tuple(filter(None, said))[:count]


def _schema() -> dict[str, object]:
    lists = {"type": "array", "items": {"type": "string"}}
    fields = Rewrite.__struct_fields__
    return {
        "type": "object",
        "properties": dict.fromkeys(fields, lists),
        "required": list(fields),
        "additionalProperties": False,
    }
