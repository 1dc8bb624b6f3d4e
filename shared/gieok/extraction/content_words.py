"""Which words of a text tell something, and which of them were said.

Without a dictionary: particles and inflections are cut off as far as letters show them.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property

from gieok.language import english, korean
from gieok.language.lexicons import BACK_CHANNELS
from gieok.language.replies import is_yes
from gieok.language.third_person import is_person_word

_KO = """
    사용자 유저 user 캐릭터 자신 자기 서로 그녀 그들 오늘 내일 모레 어제 그저께 이제 다시 함께 때문
    말했다 말하며 말했으며 이야기했다 얘기했다 했다 했으며 하며 한다 하기로 하고 싶다 있다 있으며
    있었다 있는데 없다 없으며 된다 됐다 되었다 위해 대해 대한 통해 예정 생각 계획 그래서 이후
"""
_EN = """
    able acknowledge agree always amazing appreciate around ask back become begin believe best
    better bring came care character come consider conversation cool currently day decide
    describe difference discuss due during each emphasize encourage enjoy even evening ever
    every excited excitement experience explain express feel felt find first found fun gave get
    give go goes good got great happy help her herself himself hope impact importance important
    interest interested interesting keep kept know last later life like look lot love made make
    many mention moment month morning much need never new next nice night now one other own
    people place plan positive proud recently see seem share show since something soon start
    still suggest sure take talk tell thing think thought through time today together told
    tomorrow try until use user value want way week went who while year yesterday yet january
    february march april may june july august september october november december monday tuesday
    wednesday thursday friday saturday sunday
"""
_FUNCTION_WORDS = korean.FUNCTION_WORDS | english.FUNCTION_WORDS
_EMPTY = frozenset({*_FUNCTION_WORDS, *_KO.split(), *map(english.stem, _EN.split())})
"""What any conversation may say, or any summary of one, whatever they are about."""

_SAY_NOTHING = _FUNCTION_WORDS | BACK_CHANNELS
_HANGUL = re.compile(r"[가-힣]")
_DATED = re.compile(r"\d[\d.,]*(?:년|월|일|시|분|박)?\d*")
_LONE_JAMO = re.compile("[ㄱ-ㅣ]+")
_CALLED = ("", "이", "야", "아")
"""What is hung on to a name when somebody is called."""


def content_words(text: str, names: Iterable[str] = (), persons: bool = False) -> frozenset[str]:
    """What a text is about: its words, bare, and numbers; of whom it is about tells nothing.

    Left out are `names` and, unless `persons`, words for persons: many memories are of the same
    friend. Of Chinese and Japanese, which have no spaces, pairs of letters.
    """
    called = {f"{korean.normalise(name)}{tail}" for name in names for tail in _CALLED}
    found = _bare_words(text) - called - _bare_words(" ".join(called)) - _EMPTY
    return frozenset(word for word in found if persons or not is_person_word(word))


def says_something(text: str) -> bool:
    """Whether a text is more than back-channels and function words. A number says something."""
    found = (t for t in korean.tokens(text) if not (_LONE_JAMO.fullmatch(t) or is_yes(t)))
    return any(_SAY_NOTHING.isdisjoint({t, korean.strip_particles(t)}) for t in found)


def _bare_words(text: str) -> set[str]:
    return {bare for token in korean.tokens(text) for bare in _bare(token)}


def _bare(token: str) -> Iterable[str]:
    if _HANGUL.search(token):
        return () if token in _EMPTY else (korean.strip_particles(token),)
    if pairs := korean.bigrams(token):
        return pairs
    return () if _LONE_JAMO.fullmatch(token) else (english.stem(token),)


class Said:
    """The words of some lines, to look others up in; read when the first is looked up."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = tuple(lines)

    @cached_property
    def _tokens(self) -> Sequence[Sequence[str]]:
        return [korean.tokens(line) for line in self._lines]

    @cached_property
    def _words(self) -> frozenset[str]:
        tokens = {token for line in self._tokens for token in line}
        return frozenset(tokens | {bare for token in tokens for bare in _bare(token)})

    @cached_property
    def _beginnings(self) -> frozenset[str]:
        return frozenset(word[:2] for word in self._words if _HANGUL.match(word))

    @cached_property
    def _run_together(self) -> str:
        return "\n".join("".join(line) for line in self._tokens)

    def __contains__(self, word: object) -> bool:
        """Whether a content word was said; in Hangul also within a compound ("싱글몰트위스키",
        "싱글몰트 위스키") or with another ending ("마셨다", "마셨어")."""
        if not isinstance(word, str) or word in self._words or not _HANGUL.search(word):
            return word in self._words
        if word[0].isdecimal():
            return bool(re.search(rf"(?<!\d){re.escape(word)}", self._run_together))
        return len(word) > 1 and (word[:2] in self._beginnings or word in self._run_together)

    def says(self, word: str) -> bool:
        """Whether a content word was said as it stands, not only within another one."""
        return word in self._words

    def count(self, text: str, names: Iterable[str] = ()) -> tuple[int, int]:
        """How many of a text's content words were said, and how many it has.

        Leaves out single syllables, which meet by chance, and numbers and dates: "tomorrow" is
        written as "4 December".
        """
        words = content_words(text, names)
        wanted = {w for w in words if len(w) > 1 and not _DATED.fullmatch(w)}
        return sum(word in self for word in wanted), len(wanted)
