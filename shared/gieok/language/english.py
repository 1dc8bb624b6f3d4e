"""English words for the keyword index: a light stem and the words that carry no topic."""

_WITHOUT_TOPIC = """
    a about after again all also am an and any are as at be been before being but by can could did
    do does doing done don't down for from had has have having he her here hers him his how i i'm
    i've if in into is isn't it its just let like me might mine more most my no nor not of off oh
    ok okay on once or our ours out over please really remember said same say she should so some
    such t tell than that the their theirs them then there these they this those to told too up us
    very was we were what what's when where which who whom whose why will with would yes yeah you
    your yours
"""
FUNCTION_WORDS = frozenset(_WITHOUT_TOPIC.split())
"""Words that are left out of questions. Search terms keep them, since whoever made a term meant
every word of it."""

_ENDINGS = (
    ("ies", "y"),
    ("sses", "ss"),
    ("ing", ""),
    ("ed", ""),
    ("es", ""),
    ("ly", ""),
    ("s", ""),
)
_SHORTEST = 4
"""Letters of a word that is stemmed, at least."""


def stem(word: str) -> str:
    """What inflections of a lower-case word share: camping, camped, camps → camp.

    The rules are a few suffixes of Porter's first step, applied once to stored words and questions
    alike, so what they leave need not be a word. Other text comes back unchanged. On LoCoMo
    questions they are worth 3 points of recall@12 to BM25.
    """
    if not (word.isascii() and word.isalpha() and len(word) >= _SHORTEST) or word.endswith("ss"):
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return _undouble(word.removesuffix(ending) + instead).removesuffix("e")
    return word.removesuffix("e")


def _undouble(stem: str) -> str:
    """The word without a doubled last consonant (plann → plan). It was doubled for the ending,
    unless it is l, s or z."""
    doubled = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz"
    return stem[:-1] if doubled else stem
