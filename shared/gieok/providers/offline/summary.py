"""The summary of a window by rules: what the user said and did, quoted, in the talk's language."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from gieok.providers.offline.marks import without_emphasis
from gieok.providers.offline.particles import after_quotations

SENTENCES = 5
"""Sentences of a summary, at most."""
CHARS = 300
"""Characters of a summary beyond which no sentence is added; of Latin letters twice as many."""
BESIDE: Mapping[str, str] = {
    "ko": "이야기 밖에서 한 말",
    "en": "said outside the story",
    "ja": "物語の外での言葉",
}
"""The note on what was said beside the story, by language."""


@dataclass(frozen=True, slots=True)
class Told:
    """Something that the user said or did, and to whom.

    `place` counts from 0 in the window, `points` are its worth. `story` says that its message also
    acts something out, `aside` that it was said beside the story, and `correction` is the later
    sentence that corrects it.
    """

    place: int
    kind: str
    text: str
    character: str | None
    day: date
    points: int
    message_id: str
    story: bool
    aside: bool = False
    correction: str = ""


@dataclass(frozen=True, slots=True)
class _Form:
    said: str
    did: str
    quote: str
    between: str


# Words of our own are few: a summary is checked for words that nobody said.
_FORMS: Mapping[str, _Form] = {
    "ko": _Form("사용자는 {}라고 말했다.", "사용자가 {}.", "“{}”", ", "),
    "en": _Form("The user said: {}.", "The user {}.", "“{}”", ", "),
    "ja": _Form("ユーザーは{}と話した。", "{}。", "「{}」", ""),
}
_END = re.compile(r"[.。\s]+$")


def summary(best: Sequence[Told], language: str) -> str:
    """What the best of a window say, in its order; "" for nothing."""
    form = _FORMS.get(language, _FORMS["en"])
    kept = _fitting(best[:SENTENCES], CHARS if language in ("ko", "ja") else 2 * CHARS)
    corrections = {t.correction for t in kept}
    said = [_quoted(t, form) for t in kept if t.kind == "quote" and t.text not in corrections]
    done = [_bare(t.text) for t in kept if t.kind == "action"]
    parts = [form.said.format(form.between.join(said))] if said else []
    parts += [form.did.format(deed) for deed in done]
    return after_quotations(" ".join(parts))


def _fitting(best: Sequence[Told], most: int) -> list[Told]:
    kept, room = list[Told](), most
    for told in best:
        room -= len(told.text) + len(told.correction)
        if room >= 0 or not kept:
            kept.append(told)
    return sorted(kept, key=lambda t: t.place)


def _quoted(told: Told, form: _Form) -> str:
    quote = form.quote.format(_bare(told.text))
    return f"{quote} (→ {form.quote.format(_bare(told.correction))})" if told.correction else quote


def _bare(text: str) -> str:
    return _END.sub("", " ".join(without_emphasis(text).split()))
