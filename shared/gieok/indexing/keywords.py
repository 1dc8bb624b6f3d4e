"""The blind keyword index: a memory's terms and a user's sentence as keyed digests.

Both sides are cut into the same pieces, and a piece has one digest whatever its kind, so that a
bare word of the question meets the beginning or the middle of a stored compound. The kind only
decides what a match counts. What does not depend on other memories of BM25 (Robertson and Zaragoza,
2009) is an impact stored with each digest; how rare a digest is in a pair, its postings tell. Keys
are per user: the same word of two users has nothing in common.

Digests are written once and never brought up to date. So a better rule may add pieces, to memories
and to questions, but take none away: what an older rule stored has to be found.
"""

import hmac
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

from gieok.indexing.figures import figures
from gieok.language import english, korean

Kind = Literal["word", "prefix", "bigram"]
"""The kind of a stored piece: a word, a prefix or a bigram."""

FREQUENCY: Mapping[Kind, float] = {"word": 1.0, "prefix": 0.5, "bigram": 0.25}
"""What a stored piece counts as in BM25, where other indexes count how often a word occurs."""

K1, B = 0.9, 0.4
"""The saturation and the length normalisation of BM25 (the defaults of Anserini)."""

AVERAGE_PIECES = 150
"""Pieces of an average memory: 179 and 135 on two sets of Korean and English windows. It is a
constant, so that an impact never changes after it was written."""

IMPACT_SCALE = 12
"""Impacts are stored in twelfths, in four bits: the largest possible is 15."""

DIGEST_BITS = 25
"""Bits that are kept of each HMAC-SHA-256, so that a posting takes four bytes (docs/decisions/22).
In a pair of a thousand memories, which hold some 80,000 different digests, one piece in 400 meets
a memory that does not have it."""

LONGEST_PREFIX = 16
"""Characters of the longest prefix that is stored, so that the row of a pasted wall of letters
stays small."""

WHOLE, SYLLABLE, BIGRAM = 1.0, 0.5, 0.4
"""What a match counts by the kind of the asked piece: a bare word, the one syllable that particles
left of a word, a bigram. Chosen by BM25 on KorQuAD 1.0 dev, sentences as memories: recall@10 .924
with stored A, B, C as frequencies 1, .5, .25, against .912 for bigrams of words alone."""

BESIDE = 0.5
"""What a match counts of a word that a rewriting added, in words of the question."""

MOST_TERMS = 100
"""Search terms that are taken from one text, at most: twice as many as five sentences hold."""

_FEW_DIGITS = re.compile(r"^\d{1,2}(?!\d)")
# Years, months and days are counted in too many memories to tell anything; `figures` reads dates.
_COUNTED = re.compile(r"^(?:\d+|몇)(?![년월일]$)([가-힣]+)$")
_FUNCTION_WORDS = korean.FUNCTION_WORDS | english.FUNCTION_WORDS


def index_terms(search_terms: Iterable[str], key: bytes) -> dict[int, int]:
    """What the index holds of a memory: digest → impact, 1 to 15; empty when there are no words.

    The order is that of the digests, since that of the text would tell which pieces belong to one
    word.
    """
    pieces = stored_pieces(search_terms)
    index = {_digest(p, key): impact(kind, len(pieces)) for p, kind in pieces.items()}
    return dict(sorted(index.items()))


def impact(kind: Kind, pieces: int) -> int:
    """The scaled part of a piece's BM25 score that its own memory decides, which has so many
    pieces."""
    frequency = FREQUENCY[kind]
    norm = K1 * (1 - B + B * pieces / AVERAGE_PIECES)
    return max(1, round(IMPACT_SCALE * frequency * (K1 + 1) / (frequency + norm)))


def query_digests(
    sentence: str, key: bytes, limit: int = 20, beside: Sequence[str] = ()
) -> dict[int, float]:
    """What to look up for a user's sentence: digest → what a match counts, the highest first.

    At most `limit`, without duplicates; empty when the sentence has function words only. `beside`
    are terms that stand for the sentence and were not said.
    """
    return {_digest(piece, key): w for piece, w in asked_pieces(sentence, limit, beside).items()}


def terms_of(text: str) -> tuple[str, ...]:
    """The terms of a sentence, such as a summary or an allusion: its content words, without
    particles.

    Each stands once, in the order of the text. Other spellings follow that only several words
    together show ("iphone 15" as iphone15). At most `MOST_TERMS`.
    """
    words = korean.tokens(text)
    bare = [korean.strip_particles(word) for word in words if not _is_noise(word)]
    return tuple(dict.fromkeys((*bare, *_other_spellings(text, words))))[:MOST_TERMS]


def stored_pieces(search_terms: Iterable[str]) -> dict[str, Kind]:
    """The plain pieces of a memory's terms, before the key. Never store or log them."""
    terms = {term: korean.tokens(term) for term in search_terms}
    words = [word for term in terms.values() for word in term]
    found: tuple[tuple[Kind, Iterable[str]], ...] = (
        ("word", (form for word in words for form in (word, *_bare(word)))),
        ("word", (form for term in terms.items() for form in _other_spellings(*term))),
        ("prefix", (prefix for word in words for prefix in _prefixes(word))),
        ("bigram", (pair for term in terms.values() for pair in _bigrams(term))),
        ("bigram", _counters(words)),
    )
    pieces: dict[str, Kind] = {}
    for kind, of_kind in found:
        for piece in of_kind:
            pieces.setdefault(piece, kind)  # the kind that counts most came first
    return pieces


def asked_pieces(sentence: str, limit: int = 20, beside: Sequence[str] = ()) -> dict[str, float]:
    """The plain pieces of a sentence, before the key: bare words, other spellings, bigrams. After
    them those of the terms beside it, which count less."""
    pieces = _said_pieces(sentence)
    for term in beside:
        for piece, counts_for in _said_pieces(term).items():
            pieces.setdefault(piece, BESIDE * counts_for)
    return dict(sorted(pieces.items(), key=lambda item: -item[1])[:limit])


def _said_pieces(sentence: str) -> dict[str, float]:
    said = korean.tokens(sentence)
    words = [word for word in said if not _is_noise(word)]
    pieces: dict[str, float] = {}
    for word in words:
        for form in _bare(word):
            syllable = len(form) == 1 and len(word) > 1
            pieces.setdefault(form, SYLLABLE if syllable else WHOLE)
    for form in _other_spellings(sentence, said):
        pieces.setdefault(form, WHOLE)
    for counter in _counters(word for word in words if word[0] == "몇"):
        pieces.setdefault(counter, SYLLABLE)
    for pair in _bigrams(words):
        pieces.setdefault(pair, BIGRAM)
    return pieces


def _digest(piece: str, key: bytes) -> int:
    """The first bits of a piece's HMAC as a signed integer, as PostgreSQL has them."""
    whole = int.from_bytes(hmac.digest(key, piece.encode(), "sha256")[:4], signed=True)
    return whole >> (32 - DIGEST_BITS)


def _bare(word: str) -> list[str]:
    """The forms of a word that stand for it on both sides: stripped ones, where there are any.

    A word that would leave one syllable also stays whole: "지도" may be a map or "지"+"도". A name
    of one syllable takes 이 before its particles, and stands beside it: 콩이 and 콩 for "콩이가".
    """
    if word.isascii():
        return [english.stem(word)]
    whole, *stripped = korean.candidates(word)
    return [form for form in stripped if len(form) > 1 or f"{form}이" in stripped] or [
        whole,
        *stripped,
    ]


def _other_spellings(text: str, words: Sequence[str]) -> list[str]:
    """Pieces to which a text and other ways to write the same both come down; `words` are its
    tokens."""
    joined = list(_joined(words))
    heads = (head for word in (*words, *joined) for head in korean.heads(word))
    bare = (form for head in heads if not _is_noise(head) for form in _bare(head))
    return [*figures(text), *joined, *bare]


def _joined(words: Sequence[str]) -> Iterator[str]:
    """A number and the word beside it as the one word they may be written as: s24, 10km, 2호선.

    A function word stays apart ("in 2020"), but for single letters: the "s" of "s 24" is a name. Of
    Hangul only one syllable is read together with a number of one or two digits: 고3, 중2병.
    """
    for left, right in pairwise(words):
        if len(left) == 1 and "가" <= left <= "힣":
            yield from (left + digits for digits in _FEW_DIGITS.findall(right))
        number_first = left[-1].isdecimal()
        word = right if number_first else left
        one = left + korean.strip_particles(right)
        if number_first != right[0].isdecimal() and (len(word) == 1 or not _is_noise(word)):
            yield from (token for token in korean.tokens(one) if token == one)


def _prefixes(word: str) -> Iterator[str]:
    """The beginnings of a Hangul word, which may be a compound.

    Of a word in Latin letters they found nothing that its stem does not, and were two of three
    pieces of an English memory.
    """
    longest = 0 if word.isascii() else min(len(word), LONGEST_PREFIX + 1)
    return (word[:end] for end in range(2, longest))


def _bigrams(words: Iterable[str]) -> list[str]:
    """The bigrams of the stripped words, then those across their spaces, since people put spaces
    into compounds as they like."""
    stems = [korean.strip_particles(word) for word in words]
    seams = [left[-1] + right[0] for left, right in pairwise(stems)]
    return [pair for text in (*stems, *seams) for pair in korean.bigrams(text)]


def _counters(words: Iterable[str]) -> Iterator[str]:
    """What numbers count: 층 in "2층이고". "몇층이야" asks for it, as "몇 층" does by its words."""
    for word in words:
        yield from _COUNTED.findall(korean.candidates(word)[-1])


def _is_noise(word: str) -> bool:
    jamo_only = "ㄱ" <= word[0] <= "ㅣ" and len(set(word)) <= 2  # ㅋㅋ, ㅠㅠ, ㅇㅋ
    return jamo_only or not _FUNCTION_WORDS.isdisjoint((word, korean.strip_particles(word)))
