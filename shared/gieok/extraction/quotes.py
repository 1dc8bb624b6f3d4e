"""Whether words were said in a window, and by whom: what a model quotes against what there is."""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from gieok.extraction.content_words import Said
from gieok.language import korean
from gieok.language.clauses import Clause, clauses, is_cut_off
from gieok.language.letters import is_letter, letters
from gieok.types import USER, Message

LONGEST = 2_000
"""Characters of a quote, at most: a longer one quotes nothing in particular."""
_TRIED = 20
"""Places in one message at which a quote is looked for, at most."""
_NEGATING = frozenset("안못불비미무부")
"""What turns the word behind it into its opposite."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where words were said: the line, its number in the window, and from where to where in it."""

    line: "Line"
    number: int
    start: int
    end: int

    @property
    def clauses(self) -> Sequence[Clause]:
        """The clauses that the words are of, whole."""
        return [c for c in self.line.clauses if c.start < self.end and c.end > self.start]


class Transcript:
    """The messages of a window to look quotes up in, in the order given."""

    def __init__(self, messages: Iterable[Message]) -> None:
        self.lines: Sequence[Line] = [Line(m) for m in messages if m.role != "system"]

    @property
    def messages(self) -> Sequence[Message]:
        """What was said, in the window's order."""
        return tuple(line.message for line in self.lines)

    def find(
        self, quote: str, speakers: Collection[str] | None, hint: str = "", last: bool = False
    ) -> Place | None:
        """Where one of the speakers (None: anyone) said these words.

        In the message whose id is `hint` when it holds them, else in the first, or the `last`. None
        for words without a letter, and for words that nobody of them said: cut off from their
        negation they say the opposite.
        """
        wanted = letters(quote) if len(quote) <= LONGEST else ""
        found = [
            Place(line, number, *at)
            for number, line in enumerate(self.lines)
            if wanted and (speakers is None or line.speaker in speakers)
            if (at := next(line.places(wanted), None))
        ]
        hinted = (place for place in found if str(place.line.message.id) == hint)
        return next(hinted, None) or next(iter(found[::-1] if last else found), None)


def speaker(message: Message) -> str:
    """Who said it: "user" or a character's name."""
    return USER if message.role == "user" else message.speaker


class Line:
    """What was said in one message: its letters, where they stand, and its clauses."""

    def __init__(self, message: Message) -> None:
        self.message = message
        self.speaker = speaker(message)
        self.text = korean.normalise(message.text)
        self._places = [i for i, char in enumerate(self.text) if is_letter(char)]
        self._letters = "".join(self.text[i] for i in self._places)

    @cached_property
    def clauses(self) -> Sequence[Clause]:
        """Its clauses, in order."""
        return tuple(clauses(self.text))

    @cached_property
    def _said(self) -> Sequence[Said]:
        """What its clauses affirm, what they deny, and what leads up to a negation."""
        leading = (c for c, then in pairwise(self.clauses) if then.negated and not c.ends_sentence)
        parts = (c for c in self.clauses if not c.negated), (c for c in self.clauses if c.negated)
        return [Said(c.text for c in part) for part in (*parts, leading)]

    def side(self, word: str, negated: bool, refused: bool) -> int:
        """1 if a text with this word says what was said here, −1 if the opposite, 0 if neither.

        `negated` is whether the text is. What was asked and `refused` is denied by the clauses that
        lead up to a negation, too. A word as it stands counts before one like it.
        """
        affirmed, denied, leading = self._said
        if refused and word in leading:
            return -1
        if negated and (word in affirmed or word in denied):
            return 1
        if affirmed.says(word) != denied.says(word):
            return 1 if affirmed.says(word) else -1
        return 1 if word in affirmed else -1 if word in denied or refused else 0

    def places(self, wanted: str) -> Iterator[tuple[int, int]]:
        """From where to where these letters were said, with their negation if they have one."""
        at = -1
        for _ in range(_TRIED):
            at = self._letters.find(wanted, at + 1)
            if at < 0:
                return
            start, end = self._places[at], self._places[at + len(wanted) - 1] + 1
            edges = {self._clause_at(start), self._clause_at(end - 1)}
            if self._begins(start) and not any(is_cut_off(c, start, end) for c in edges if c):
                yield start, end

    def _clause_at(self, place: int) -> Clause | None:
        """The clause of a place; None between two, where people laugh and weep."""
        before = bisect_right(self.clauses, place, key=lambda c: c.start)
        return next((c for c in self.clauses[max(before - 1, 0) : before] if place < c.end), None)

    def _begins(self, start: int) -> bool:
        """Whether words begin here: not within "불가능", nor within a Latin word."""
        before, first = self.text[start - 1 : start], self.text[start]
        within = before.isascii() and before.isalpha() and first.isascii()
        return before not in _NEGATING and not within
