"""Whether an answer belongs to its window: about what was said there, in the language of it."""

from collections.abc import Sequence

from gieok.language import prevailing
from gieok.quotes import letters
from gieok.telling import Said, says_something
from gieok.types import Extraction, Locale, Message

LEAST_SAID = 1 / 3
"""The share of a summary's telling words that must have been said in its window.

Measured: good summaries against their own windows, bad ones being those of the same person's other
windows, which share friends, pets and places with it. Of 18 Korean ones, reworded and with dates
worked out (`tests/window_summaries.py`), the least share is 0.44, of their 306 wrong pairings the
most is 0.21. In English, on LoCoMo's annotations, 528 windows of ten messages and 272 sessions,
with every 23rd and 11th of their wrong pairings:

    share    good dropped (Korean, windows, sessions)    bad kept (Korean, windows, sessions)
    0.20     0        1 (0.2 %)     0                    0.3 %    21 %     42 %
    0.25     0        1 (0.2 %)     0                    0        11 %     24 %
    1/3      0        1 (0.2 %)     0                    0        4.5 %    6.3 %
    0.40     0        4 (0.8 %)     0                    0        1.6 %    1.8 %
    0.50     5        7 (1.3 %)     12 (4.4 %)           0        0.7 %    0

The bad that is kept in English is of windows about the same thing. A memory that is refused wrongly
is lost, one that is kept wrongly can be deleted: hence 1/3 rather than 0.40.
"""


def is_about(extraction: Extraction, messages: Sequence[Message], names: Sequence[str]) -> bool:
    """Whether the summary is of this window rather than a memory of another one, by its words.

    At least `LEAST_SAID` of its telling words were said, two or more unless it has no other.
    `names` of those who talk tell nothing. Words of another language cannot be looked up: with
    fewer, and where the conversation itself mixes languages, it is so when it `is_founded`.
    """
    lines = [m.text for m in messages if m.role != "system"]
    spoken, whole = prevailing(" ".join(lines)), extraction.summary.split()
    words = [w for w in whole if not spoken or _is_in(w, spoken)]
    said, told = Said(lines).count(" ".join(words), names)
    enough = said >= LEAST_SAID * told
    if enough and (said > 1 or (said == told and words == whole)):
        return True
    return (enough or spoken is None) and is_founded(extraction)


def is_founded(extraction: Extraction) -> bool:
    """Whether something that was said stands beside the summary: a telling quote, or a fact."""
    return bool(telling_quotes(extraction))


def telling_quotes(extraction: Extraction) -> Sequence[str]:
    """The words that its details and facts rest on, each once."""
    quotes = [d.text for d in extraction.details if d.kind == "quote" and says_something(d.text)]
    return list(dict.fromkeys([*quotes, *(fact.quote for fact in extraction.facts)]))


def _is_in(word: str, spoken: Locale) -> bool:
    return prevailing(word) in (spoken, None)


def foreign_fields(extraction: Extraction, messages: Sequence[Message]) -> tuple[str, ...]:
    """The fields whose text is not in the language of the conversation, or only partly.

    Words that were said are in it, whatever their script. None where the conversation is a mixture.
    """
    lines = " ".join(m.text for m in messages if m.role != "system")
    spoken = prevailing(lines)
    texts = {
        "summary": extraction.summary,
        "facts": " ".join(f.text for f in extraction.facts),
        "relationship_states": " ".join(
            r.state.standing for r in extraction.relationships.values()
        ),
    }
    if not spoken:
        return ()
    return tuple(name for name, text in texts.items() if _is_foreign(text.split(), spoken, lines))


def _is_foreign(words: Sequence[str], spoken: Locale, lines: str) -> bool:
    if all(_is_in(word, spoken) for word in words):
        return False
    said = set(map(letters, lines.split()))
    unsaid = [word for word in words if letters(word) not in said]
    return (
        not all(_is_in(word, spoken) for word in unsaid) and prevailing(" ".join(unsaid)) != spoken
    )
