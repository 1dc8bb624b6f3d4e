"""Take a user's text apart for the offline rules: sentences, topics, and how much each tells."""

import re
from collections.abc import Iterable, Iterator

from gieok.language import korean
from gieok.providers.offline.cues import (
    ASKS_NOW,
    ASKS_WHAT,
    CUES,
    LATER,
    QUESTION,
    RECALL_QUESTION,
    SAYS_ON_THE_WAY,
    SENSITIVE,
    SMALL_TALK,
    STOPWORDS,
    VERB_ENDING,
    words,
)
from gieok.providers.offline.marks import Part, kept_whole, own_words, parts, without_addresses

_READ = 1_000
"""Characters of a message that the rules read at its beginning and as many at its end: rules that
look ahead cost the square of a wall of text."""
LONGEST = 200
"""Characters of one quote; a longer sentence is kept up to its last whole word."""

_END = re.compile(
    r"(?<=[!?…。！？])\s*(?![!?…。！？])"
    r"|(?<!\b[A-Z][a-z]\.)(?<=\.)(?![.\w])\s*"  # not 3.5, www.a.b, Mr. Kim
    r"|\s*\n\s*"
)
_NOISE = re.compile(r"[ㄱ-ㅎㅏ-ㅣ]+|h[ae]h?[hae]+|lo+l|\d")
_OF_A_QUESTION = 4
"""What a question is worth less than a statement of the same words."""
_PLAYED = re.compile(r"(?P<formal>[슴습](?:니)?[다당닷]$)|(?<=니)[당닷]$|[용욤욥염여]$")
"""Endings as people play with them: 알겠슴당, 알겠어용."""
_MASHED = re.compile(r"(?:asdf|qwer|zxcv|hjkl)\w*|[b-df-hj-np-tv-xz]{5,}")
"""What is typed without looking."""
_AGAIN = re.compile(r"(.+?)\1+")
_OF_ENDINGS = words(
    """
    라고 다고 자고 냐고 했어 했지 했다 하고 해서 었어 았어 었지 았지 이야 였어 였지 랬어 랬지 이라
    는데 인데 에서 하는 한다 려고 거야 어요 아요 에요 예요 니다 습니 입니
    """
)
"""Pairs of letters that endings have in common, and which tell nothing."""
_DENIED = re.compile(r"(?<![가-힣])([안못])\s?([가-힣])")
_CALLED = ("", "야", "아", "이야", "님", "씨")
"""What follows a name when somebody is called by it."""


def ends_of(text: str) -> str:
    """What the rules read of a message: all, or how a long one begins and ends."""
    return text if len(text) <= 2 * _READ else f"{text[:_READ]}\n{text[-_READ:]}"


def actions(text: str) -> list[str]:
    """What a role-playing user does, written between asterisks."""
    return [part.text.strip() for part in parts(text) if part.kind == "action"]


def sentences(text: str) -> list[str]:
    """The sentences of a text, verbatim and in order, without actions and without what is said
    beside the story; each at most `LONGEST`."""
    return _sentences(part for part in parts(text) if part.kind == "said")


def asides(text: str) -> list[str]:
    """The sentences that the user says beside the story, as `sentences` gives the others."""
    return _sentences(part for part in parts(text) if part.kind == "aside")


def _sentences(found: Iterable[Part]) -> list[str]:
    pieces = (piece.strip() for part in found for piece in _pieces(part.text))
    return [_shortened(piece) for piece in pieces if piece]


def _pieces(text: str) -> Iterator[str]:
    """The text cut where sentences end, but not within what is kept whole."""
    whole, start = kept_whole(text), 0
    for end in _END.finditer(text):
        if not any(a < end.end() and end.start() < b for a, b in whole):
            if any(b == end.start() for _, b in whole) and "\n" not in end[0]:
                continue
            yield text[start : end.start()]
            start = end.end()
    yield text[start:]


def _shortened(sentence: str) -> str:
    if len(sentence) <= LONGEST:
        return sentence
    return sentence[:LONGEST].rsplit(None, 1)[0]


def topics(text: str, names: Iterable[str] = ()) -> list[str]:
    """The words that say what a text is about, without particles; no names that are called."""
    called = {name + tail for name in map(korean.normalise, names) for tail in _CALLED}
    stems = (
        (token, korean.strip_particles(token)) for token in korean.tokens(without_addresses(text))
    )
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


def asks_now(sentence: str) -> bool:
    """Whether a sentence asks for a story, a song or the like, and at once."""
    return bool(ASKS_NOW.search(sentence)) and not LATER.search(sentence)


def cues(sentence: str) -> frozenset[str]:
    """The names of the cues a sentence shows."""
    return frozenset(name for name, pattern in CUES.items() if pattern.search(sentence))


def is_small_talk(token: str) -> bool:
    """Whether a normalised token says nothing, also several times or in play: 넵넵, 알겠슴당."""
    if token in SMALL_TALK or _MASHED.fullmatch(token):
        return True
    plain = _PLAYED.sub(_played_plainly, token)
    again = _AGAIN.fullmatch(plain)
    return plain in SMALL_TALK or bool(again and again[1] in SMALL_TALK)


def _played_plainly(found: re.Match[str]) -> str:
    if found["formal"]:
        return "습니다"
    return "다" if found[0] in "당닷" else "요"


def worth(sentence: str, names: Iterable[str] = ()) -> int:
    """How much a sentence tells about its speaker; 0 is nothing.

    It is a point for each topic (6 at most), 3 for each cue and 2 for a number. A question tells
    nothing, unless it proposes or asks for something, or says something on the way.
    """
    about = topics(sentence, names)
    if (
        asks_back(sentence)
        or asks_now(sentence)
        or all(is_small_talk(t) or len(t) == 1 for t in about)
    ):
        return 0
    shown = cues(sentence)
    points = min(len(about), 6) + 3 * len(shown) + 2 * bool(re.search(r"\d", sentence))
    if not is_question(own_words(sentence)) or _proposes(sentence, shown):
        return points
    return max(points - _OF_A_QUESTION, 0) if SAYS_ON_THE_WAY.search(sentence) else 0


def _proposes(sentence: str, shown: frozenset[str]) -> bool:
    return bool(shown & {"plan", "promise"}) and not ASKS_WHAT.search(sentence)


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


def features(text: str, names: Iterable[str] = ()) -> frozenset[str]:
    """The topics of a text, their bigrams and what it denies: what two texts about the same thing
    share."""
    found = {t for t in topics(text, names) if not ASKS_WHAT.match(t)}
    denied = {"".join(pair) for pair in _DENIED.findall(text)}
    pairs = {pair for topic in found for pair in korean.bigrams(topic)} - _OF_ENDINGS
    return frozenset(found | denied | pairs)
