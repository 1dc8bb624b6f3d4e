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

Measured: good summaries against their own windows, bad ones being those of the same person's other
windows, which share friends, pets and places with it (of chats: of other people's). Korean: 18 of
one conversation, reworded and with dates worked out, the least share 0.44, the most of their 306
wrong pairings 0.21. Chats (`tests/support/window_summaries.json`): 20 of many kinds, 15 Korean and
5 English, with the facts a good answer has, the least share 0.36, the most wrong one 0.18; without
facts 0.09, and three of them fall. English: LoCoMo's annotations, 528 windows of ten messages, 272
sessions with its observations as facts, and every 23rd and 11th of their wrong pairings:

    share    good dropped (Korean, chats, windows, sessions)    bad kept (the same)
    0.20     0    0    1 (0.2 %)    0                           0.3 %    0    21 %     47 %
    0.25     0    0    1 (0.2 %)    0                           0        0    11 %     28 %
    1/3      0    0    1 (0.2 %)    0                           0        0    4.5 %    8.0 %
    0.40     0    1    4 (0.8 %)    0                           0        0    1.6 %    2.7 %
    0.50     5    4    7 (1.3 %)    8 (2.9 %)                   0        0    0.7 %    0.2 %

Without the facts 6.3 % of the bad ones of sessions are kept. A fact that stands is stored in any
case: a summary that says the same adds nothing that was not told.
The bad that is kept in English is of windows about the same thing. A memory that is refused wrongly
is lost, one that is kept wrongly can be deleted: hence 1/3 rather than 0.40.
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


def _is_in(word: str, spoken: Locale) -> bool:
    return prevailing(word) in (spoken, None)


def foreign_fields(extraction: Extraction, window: WindowContext) -> tuple[str, ...]:
    """The fields whose text is not in the language of the conversation, or only partly.

    Words that were said are in it, whatever their script. None where the conversation is a mixture.
    """
    lines = " ".join(window.lines)
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
