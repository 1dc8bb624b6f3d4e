"""The blind keyword index: a memory's search terms and a user's sentence as keyed digests.

Both sides are cut into the same pieces, and a piece has one digest whatever its kind, so that a
bare word of the question meets the beginning or the middle of a stored compound. The kind only
decides what a match counts: a tsvector weight on the stored side, a number on the asked side. Keys
are per user: the same word of two users has nothing in common.
"""

import hmac
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Literal

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from gieok import english, korean

Weight = Literal["A", "B", "C"]
"""Of a stored piece, as tsvector names them: A a whole word, B a prefix, C a bigram."""

DIGEST_BYTES = 8
"""Kept of each HMAC-SHA-256: among a user's million pieces any collision has a chance of 3e-8."""

LONGEST_PREFIX = 16
"""Characters of the longest prefix stored, so that a pasted wall of letters stays a small row."""

WHOLE, SYLLABLE, BIGRAM = 1.0, 0.5, 0.4
"""What a match counts by the kind of the asked piece: a bare word, the one syllable that particles
left of a word, a bigram. Chosen by BM25 on KorQuAD 1.0 dev, sentences as memories: recall@10 .924
with stored A, B, C as frequencies 1, .5, .25, against .912 for bigrams of words alone."""

_FUNCTION_WORDS = korean.FUNCTION_WORDS | english.FUNCTION_WORDS


def derive_index_key(data_key: bytes) -> bytes:
    """The 32-byte key of a user's digests, by HKDF-SHA-256 from the user's data key."""
    return HKDF(SHA256(), 32, salt=None, info=b"gieok keyword index 1").derive(data_key)


def index_terms(search_terms: Iterable[str], key: bytes) -> dict[str, Weight]:
    """What the index holds of a memory: lower-case hex digest → weight. Empty for no words."""
    return {_digest(piece, key): weight for piece, weight in stored_pieces(search_terms).items()}


def query_digests(sentence: str, key: bytes, limit: int = 20) -> dict[str, float]:
    """What to look up for a user's sentence: digest → what a match counts, most telling first.

    At most `limit`, without duplicates. Empty when the sentence is all function words.
    """
    return {_digest(piece, key): w for piece, w in asked_pieces(sentence, limit).items()}


def to_tsvector_text(index: Mapping[str, Weight]) -> str:
    """The text of a tsvector, e.g. ``'00ab…':1A '17cd…':1C``; its lexeme count is the length."""
    return " ".join(f"'{digest}':1{weight}" for digest, weight in sorted(index.items()))


def to_tsquery_text(digests: Iterable[str]) -> str:
    """The text of a tsquery that matches any of the digests."""
    return " | ".join(f"'{digest}'" for digest in digests)


def stored_pieces(search_terms: Iterable[str]) -> dict[str, Weight]:
    """The plain pieces of a memory's terms, before the key. Never store or log them."""
    pieces: dict[str, Weight] = {}
    for term in search_terms:
        words = korean.tokens(term)
        found: tuple[tuple[Weight, Iterable[str]], ...] = (
            ("A", (form for word in words for form in (word, *_bare(word)))),
            ("B", (prefix for word in words for prefix in _prefixes(word))),
            ("C", _bigrams(words)),
        )
        for weight, kind in found:
            for piece in kind:
                pieces[piece] = min(weight, pieces.get(piece, weight))
    return pieces


def asked_pieces(sentence: str, limit: int = 20) -> dict[str, float]:
    """The plain pieces of a sentence, before the key: bare words first, then bigrams."""
    words = [word for word in korean.tokens(sentence) if not _is_noise(word)]
    pieces: dict[str, float] = {}
    for word in words:
        for form in _bare(word):
            syllable = len(form) == 1 and len(word) > 1
            pieces.setdefault(form, SYLLABLE if syllable else WHOLE)
    for pair in _bigrams(words):
        pieces.setdefault(pair, BIGRAM)
    return dict(sorted(pieces.items(), key=lambda item: -item[1])[:limit])


def _digest(piece: str, key: bytes) -> str:
    return hmac.digest(key, piece.encode(), "sha256")[:DIGEST_BYTES].hex()


def _bare(word: str) -> list[str]:
    """The forms of a word that stand for it on both sides: stripped ones, where there are any.

    A word that would leave one syllable also stays whole: "지도" may be a map or "지"+"도".
    """
    if word.isascii():
        return [english.stem(word)]
    whole, *stripped = korean.candidates(word)
    return [form for form in stripped if len(form) > 1] or [whole, *stripped]


def _prefixes(word: str) -> Iterator[str]:
    return (word[:end] for end in range(2, min(len(word), LONGEST_PREFIX + 1)))


def _bigrams(words: Iterable[str]) -> list[str]:
    """Of the stripped words, then across their spaces: people space compounds as they like."""
    stems = [korean.strip_particles(word) for word in words]
    seams = [left[-1] + right[0] for left, right in pairwise(stems)]
    return [pair for text in (*stems, *seams) for pair in korean.bigrams(text)]


def _is_noise(word: str) -> bool:
    jamo_only = "ㄱ" <= word[0] <= "ㅣ" and len(set(word)) <= 2  # ㅋㅋ, ㅠㅠ, ㅇㅋ
    return jamo_only or not _FUNCTION_WORDS.isdisjoint((word, korean.strip_particles(word)))
