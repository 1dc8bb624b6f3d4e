"""Whether words are about a value of a relationship state, so that they may contradict it."""

import re
from itertools import product

from gieok.language import english, korean
from gieok.language.letters import letters
from gieok.types import USER, StateField

_FUNCTION_WORDS = korean.FUNCTION_WORDS | english.FUNCTION_WORDS | {"사용자", "유저", USER}

_WAYS_TO_SPEAK = re.compile(
    r"말\s?(?:을\s?)?(?:놓|놔|높|편하게|까)|반말|존댓말|존대|높임말|낮춤말|경어|요\s?자"
    r"|敬語|タメ口|ため口|丁寧|\b(?:casual|formal|informal|polite|honorific)",
    re.IGNORECASE,
)
"""What one calls a speech level when one asks for it."""
_FEELINGS = re.compile(
    r"사랑|좋아[하해졌]|(?<![가-힣])(?:너[도는를]?|넌|널|네가|니가|당신[은이]?)\s(?:\S+\s)?좋"
    r"|싫|미워|미운|밉|고마|고맙|감사|미안|서운|섭섭|실망|화[나났내냈]|짜증|보고\s?싶|그리[워웠]"
    r"|설[레렜]|소중|반했|질투|상처|꺼져|믿[어을]|못\s?믿|덕분"
    r"|好き|嫌い|大切|愛し|会いたい|寂し|ありがとう|ごめん|怒っ|ムカつ|信じ"
    r"|\b(?:lov|lik|hat|miss|thank|sorry|trust|angry|upset|hurt|disappoint|fond|ador|annoy|jealous)",
    re.IGNORECASE,
)
"""What one says of one's feelings for somebody."""


def mentions(words: str, field: StateField, value: str) -> bool:
    """Whether words that were said are about this value of a field.

    Words about a name say it. Words about a speech level or about affection speak of ways to speak
    or of feelings. Words about a text share a content word with it.
    """
    if field in ("user_called", "character_called"):
        return letters(value) in letters(words)
    if field == "speech_level":
        return bool(_WAYS_TO_SPEAK.search(words))
    if field == "affection":
        return bool(_FEELINGS.search(words))
    return any(_alike(a, b) for a, b in product(_content_words(words), _content_words(value)))


def _content_words(text: str) -> set[str]:
    """What a text's words may be without their particles, less words that carry no topic."""
    words = map(korean.candidates, korean.tokens(text))
    return {english.stem(w) for found in words if not _FUNCTION_WORDS & {*found} for w in found}


def _alike(one: str, other: str) -> bool:
    """Whether two words are the same, or inflections or compounds of one, as far as that can be
    told.

    In Hangul they begin with the same two syllables (사귀자, 사귀기로). In Chinese and Japanese,
    which have no spaces, they share two letters.
    """
    if "가" <= one[0] <= "힣":
        return one == other or (len(one) > 1 and one[:2] == other[:2])
    return one == other or not set(korean.bigrams(one)).isdisjoint(korean.bigrams(other))
