"""Whether an answer belongs to its window: about what was said there, in the language of it."""

from collections.abc import Sequence

from gieok.extraction.content_words import Said, says_something
from gieok.extraction.extraction import Extraction
from gieok.extraction.facts import rests_on_the_user
from gieok.extraction.window_context import WindowContext
from gieok.language.detection import prevailing
from gieok.language.letters import letters
from gieok.types import USER, Locale

LEAST_SAID = 1 / 3
"""The share of a summary's content words that must have been said in its window.

Of 838 good summaries one has fewer; of others of the same chat none has as many, of the same two
friends' other talks 4.5 % (docs/decisions/21). One that is kept wrongly can be deleted.
"""


def is_about(extraction: Extraction, window: WindowContext) -> bool:
    """Whether the summary is of this window rather than a memory of another one, by its words.

    At least `LEAST_SAID` of its content words were said, or stand in a fact that the user told: two
    or more unless it has no other. The names of those who talk tell nothing. Words of another
    language cannot be looked up: with fewer, and where the conversation itself mixes languages, it
    is so when it `is_founded`.
    """
    lines = window.lines
    told_facts = [fact.text for fact in extraction.facts if rests_on_the_user(fact)]
    spoken, whole = prevailing(" ".join(lines)), extraction.summary.split()
    words = [w for w in whole if not spoken or _is_in(w, spoken)]
    said, told = Said([*lines, *told_facts]).count(" ".join(words), window.names)
    enough = said >= LEAST_SAID * told
    if enough and (said > 1 or (said == told and words == whole)):
        return True
    return (enough or spoken is None) and is_founded(extraction)


def is_founded(extraction: Extraction) -> bool:
    """Whether the user's words stand beside it: a quote with a content word, or a fact."""
    return bool(users_words(extraction))


def users_words(extraction: Extraction) -> Sequence[str]:
    """The user's own words that its details and facts rest on; none that stand in longer ones.

    A character's are left out: what it made up must not come back as what the user told.
    """
    quotes = [d.text for d in extraction.details if d.kind == "quote" and d.who == USER]
    founded = [fact.quote for fact in extraction.facts if rests_on_the_user(fact)]
    words = list(dict.fromkeys([*filter(says_something, quotes), *founded]))
    return [one for one in words if not any(one != longer and one in longer for longer in words)]


def _is_in(word: str, spoken: Locale | None) -> bool:
    return prevailing(word) in (spoken, None)


def foreign_fields(extraction: Extraction, window: WindowContext) -> tuple[str, ...]:
    """The fields whose text is not in the language of the conversation, or only partly."""
    texts = {
        "summary": extraction.summary,
        "facts": " ".join(f.text for f in extraction.facts),
        "relationship_states": " ".join(
            r.state.standing for r in extraction.relationships.values()
        ),
    }
    return tuple(name for name, text in texts.items() if is_foreign(text, window))


def is_foreign(text: str, window: WindowContext) -> bool:
    """Whether a text is in another language than the conversation, or a part of it is.

    Words that were said are in it, whatever their script. Nothing is foreign to a mixture.
    """
    lines = " ".join(window.lines)
    spoken = prevailing(lines)
    said = set(map(letters, lines.split())) if spoken else set()
    unsaid = [w for w in text.split() if spoken and letters(w) not in said]
    return not all(_is_in(w, spoken) for w in unsaid) and prevailing(" ".join(unsaid)) != spoken
