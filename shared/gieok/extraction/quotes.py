"""Whether words were said in a window, and by whom: what a model quotes against what there is."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from gieok.extraction.negation import was_cut_off
from gieok.language import korean
from gieok.language.letters import is_letter, letters
from gieok.types import USER, Message

_LATIN = r"[^\W\d_가-힣々㐀-䶿一-鿿ぁ-ヿㄱ-ㅣ]"
_WORD = re.compile(
    rf"\d+(?:[.,:]\d+)*(?:{_LATIN}|[가-힣])*"  # 12월, 1.2센치, 10km를
    rf"|[가-힣]+|{_LATIN}(?:{_LATIN}|\d|['’](?={_LATIN}))*"
    r"|.",  # a sign, an emoji, ㅋ, a letter of Chinese or Japanese: a word can begin on both sides
    re.DOTALL,
)

_NEAR = 60
"""Characters around a quote in which a negation of it is looked for."""
_RUN_ON = re.compile(r"[가-힣]{7,}")
"""Hangul as long as no word is: typed without spaces, and nobody knows where its words begin."""
_LEAST_OF_RUN = 4
"""Letters of a quote from within such a run: fewer may be a part of a word."""
_NEGATING = "안못불비미무부"
"""What turns the word behind it into its opposite."""


class Transcript:
    """The messages of a window to look quotes up in, in the order given."""

    def __init__(self, messages: Iterable[Message]) -> None:
        self._lines = [(_Line(m.text), m) for m in messages if m.role != "system"]

    @property
    def messages(self) -> Sequence[Message]:
        """What was said, in the window's order."""
        return tuple(message for _, message in self._lines)

    def reversed(self) -> "Transcript":
        """The same messages, the last one first."""
        turned = Transcript(())
        turned._lines = self._lines[::-1]
        return turned

    def find(self, quote: str, speakers: Collection[str] | None, hint: str = "") -> Message | None:
        """The message in which one of the speakers (None: anyone) said these words.

        The one whose id is `hint` when it holds them, else the first. None for words without a
        letter, and for words that nobody of them said so: as whole words, up to particles at their
        end, and not cut off from their negation.
        """
        wanted = letters(quote)
        found = [
            message
            for line, message in self._lines
            if wanted and (speakers is None or speaker(message) in speakers) and line.says(wanted)
        ]
        return next((m for m in found if str(m.id) == hint), None) or next(iter(found), None)


def speaker(message: Message) -> str:
    """Who said it: "user" or a character's name."""
    return USER if message.role == "user" else message.speaker


class _Line:
    """What was said in one message: its letters, where they stand, and the words they make."""

    def __init__(self, text: str) -> None:
        self._text = korean.normalise(text)
        self._places = [i for i, char in enumerate(self._text) if is_letter(char)]
        self._letters = "".join(self._text[i] for i in self._places)
        words = [found.span() for found in _WORD.finditer(self._text)]
        self._starts = {start for start, _ in words}
        self._word_ends = [end for start, end in words for _ in range(start, end)]
        runs = (
            i for run in _RUN_ON.finditer(self._text) for i in range(run.start() + 1, run.end())
        )
        self._within_runs = {i for i in runs if self._text[i - 1] not in _NEGATING}

    def says(self, wanted: str) -> bool:
        """Whether these letters are whole words of it, with their negation if they have one."""
        return any(self._is_whole(start, end) for start, end in self._occurrences(wanted))

    def _occurrences(self, wanted: str) -> Iterator[tuple[int, int]]:
        """Where in the text they begin and end."""
        at = self._letters.find(wanted)
        while at >= 0:
            yield self._places[at], self._places[at + len(wanted) - 1] + 1
            at = self._letters.find(wanted, at + 1)

    def _is_whole(self, start: int, end: int) -> bool:
        text, word_end = self._text, self._word_ends[end - 1]
        begins = start in self._starts or (
            start in self._within_runs and end - start >= _LEAST_OF_RUN
        )
        if not begins or not _is_particle(text[start:end], text[end:word_end]):
            return False
        before, after = text[max(start - _NEAR, 0) : start], text[word_end : word_end + _NEAR]
        return not was_cut_off(before, text[start:end], after)


def _is_particle(words: str, rest: str) -> bool:
    """Whether the rest of the last word is only what grammar hangs on to it, if anything."""
    if rest in ("", "'s", "’s"):
        return True
    return any(last in korean.candidates(last + rest) for last in korean.tokens(words)[-1:])
