"""Take a user's text apart for the offline rules: sentences, topics, and how much each tells."""

import re
from collections.abc import Iterable

from gieok.language import korean
from gieok.providers.offline.cues import (
    CUES,
    QUESTION,
    RECALL_QUESTION,
    SENSITIVE,
    SMALL_TALK,
    STOPWORDS,
    VERB_ENDING,
)

LONGEST = 200
"""Characters of one quote; a longer sentence is kept up to its last whole word."""

_END = re.compile(
    r"(?<=[!?…。！？])\s*(?![!?…。！？])"
    r"|(?<!\b[A-Z][a-z]\.)(?<=\.)(?![.\w])\s*"  # not 3.5, www.a.b, Mr. Kim
    r"|\s*\n\s*"
)
_ACTION = re.compile(r"\*([^*\n]+)\*")
_NOISE = re.compile(r"[ㄱ-ㅎㅏ-ㅣ]+|h[ae]h?[hae]+|lo+l|\d")
_CALLED = ("", "야", "아", "이야", "님", "씨")
"""What follows a name when somebody is called by it."""


def actions(text: str) -> list[str]:
    """What a role-playing user does, written between asterisks."""
    return [found.strip() for found in _ACTION.findall(text) if found.strip()]


def sentences(text: str) -> list[str]:
    """The sentences of a text, verbatim and in order, without actions; each at most `LONGEST`."""
    found = (s.strip() for part in _ACTION.split(text)[::2] for s in _END.split(part))
    return [_shortened(s) for s in found if s]


def _shortened(sentence: str) -> str:
    if len(sentence) <= LONGEST:
        return sentence
    return sentence[:LONGEST].rsplit(None, 1)[0]


def topics(text: str, names: Iterable[str] = ()) -> list[str]:
    """The words that say what a text is about, without particles; no names that are called."""
    called = {name + tail for name in map(korean.normalise, names) for tail in _CALLED}
    stems = ((token, korean.strip_particles(token)) for token in korean.tokens(text))
    return [
        stem
        for token, stem in stems
        if token not in called and not {token, stem} & STOPWORDS and not _NOISE.fullmatch(stem)
    ]


def is_question(sentence: str) -> bool:
    """Whether a sentence asks, by its mark, its ending or its first word."""
    return bool(QUESTION.search(sentence))


def asks_back(sentence: str) -> bool:
    """Whether a sentence asks what was said before."""
    return bool(RECALL_QUESTION.search(sentence))


def cues(sentence: str) -> frozenset[str]:
    """The names of the cues a sentence shows."""
    return frozenset(name for name, pattern in CUES.items() if pattern.search(sentence))


def worth(sentence: str, names: Iterable[str] = ()) -> int:
    """How much a sentence tells about its speaker; 0 is nothing.

    It is a point for each topic (6 at most), 3 for each cue and 2 for a number, less 4 for a
    question that plans nothing.
    """
    about = topics(sentence, names)
    if asks_back(sentence) or all(t in SMALL_TALK or len(t) == 1 for t in about):
        return 0
    shown = cues(sentence)
    points = min(len(about), 6) + 3 * len(shown) + 2 * bool(re.search(r"\d", sentence))
    return max(points - 4 * (is_question(sentence) and not shown & {"plan", "promise"}), 0)


def search_terms(sentence: str, names: Iterable[str] = ()) -> list[str]:
    """The names, places, things, dates and numbers of a sentence, as a user would look for them.

    They are normalised and have no particles. A sensitive word gives way to a general one.
    """
    cut = {korean.strip_particles(t) for t in korean.tokens(sentence) if _was_cut(t)}
    return [_generalised(t) for t in topics(sentence, names) if t in cut or _noun_like(t)]


def _was_cut(token: str) -> bool:
    return korean.strip_particles(token) != token


def _noun_like(topic: str) -> bool:
    return len(topic) > 1 and not VERB_ENDING.search(topic)


def _generalised(topic: str) -> str:
    general = (name for name, pattern in SENSITIVE.items() if pattern.search(topic))
    return next(general, topic)


def features(text: str) -> frozenset[str]:
    """The topics of a text and their bigrams: what two texts about the same thing share."""
    found = set(topics(text))
    return frozenset(found | {pair for topic in found for pair in korean.bigrams(topic)})
