"""What somebody may be said to have told or done, by the words of a window.

A character makes things up, and what it makes up must never come back as the user's own. Words that
only others said prove nothing, but for a *question* that the user answers and a *request* that they
promise to grant. "너 부산에서 살았잖아" – "응" is how people are polite.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gieok.extraction.content_words import Said, content_words
from gieok.extraction.quotes import Line
from gieok.language import korean
from gieok.language.clauses import is_negated
from gieok.language.letters import letters
from gieok.language.replies import Reply, replies
from gieok.language.third_person import mentions_another
from gieok.types import USER


@dataclass(frozen=True, slots=True)
class Answered:
    """A character's question that the user's next message answers, or a request it grants.

    `told` is what was said until then, with the answer.
    """

    question: str
    reply: Reply
    said: Said
    told: Sequence[Line]

    def tells(self, text: str) -> bool:
        """Whether the answer says what a text does: yes to it, or no where the text is negated."""
        return self.reply == ("no" if is_negated(text) else "yes")

    def is_against(self, text: str, name: str) -> bool:
        """Whether the answer speaks against what a text says: of the user, or of `name`."""
        asked = not name or name in self.question or mentions_another(self.question)
        return asked and not (self.reply == "open" or self.tells(text))


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words of the user, what the user was asked, and the words of all others.

    The `names` of those who talk tell nothing.
    """

    lines: Sequence[Line]
    own: Said
    answered: Sequence[Answered]
    others: Said
    names: Sequence[str]

    def carries(self, text: str) -> tuple[int, int]:
        """How many of a text's content words are the user's own, and how many others' alone.

        What was asked is the user's own if the answer `tells` it; else it counts for neither.
        """
        words, told = self.words(text), [a.said for a in self.answered if a.tells(text)]
        own = {word for word in words if word in self.own or any(word in said for said in told)}
        # One syllable of Hangul is in others' words by chance.
        left = [w for w in words - own if w[1:] and not any(w in a.said for a in self.answered)]
        return len(own), sum(word in self.others for word in left)

    def words(self, text: str) -> frozenset[str]:
        """The content words of a text; of one that only names persons, those."""
        return content_words(text, self.names) or content_words(text, self.names, persons=True)

    def denies(self, text: str, line: Line, name: str = "") -> bool | None:
        """Whether a line denies of a text's objects what it says, and affirms nothing of them.

        So does the answer to a question, of the user or of `name`. None when it says neither.
        """
        sides = self._sides(text, line, name)
        return -1 in sides and 1 not in sides if any(sides) else None

    def leaves_open(self, quote: str) -> bool:
        """Whether words are of a question that the user did not say yes to, and did not say by
        then."""
        wanted = letters(quote)
        asked = (a for a in self.answered if wanted in letters(a.question) and a.reply != "yes")
        return any(not _said_by_user(wanted, a.told) for a in asked)

    def calls_off(self, text: str) -> bool:
        """Whether the last words of the user's about what a text says deny it."""
        own = (self.denies(text, line) for line in self.lines[::-1] if line.speaker == USER)
        return next((denied for denied in own if denied is not None), False)

    def _sides(self, text: str, line: Line, name: str) -> Sequence[int]:
        """Of each object 1 if it was said so, −1 if the opposite, 0 if neither."""
        against = [a.said for a in self.answered if a.is_against(text, name)]
        objects = self._objects(text)
        denied = {word for word in objects if any(word in said for said in against)}
        return [line.side(word, is_negated(text), word in denied) for word in objects]

    def _objects(self, text: str) -> Sequence[str]:
        """Its content words but for a verb at the end, which is Korean's and Japanese's place."""
        words, last = self.words(text), text.rstrip(" .。").rsplit(" ", 1)[-1]
        verb = content_words(last, persons=True) if korean.bigrams(last) else frozenset()
        return [word.removesuffix("다") for word in (words - verb) or words]


def evidence_of(lines: Sequence[Line], names: Sequence[str]) -> Evidence:
    """What the lines of a window, oldest first, show; the `names` of the cast tell nothing."""
    answered = tuple(_answered(lines))
    others = [line.text for line in lines if line.speaker != USER]
    for one in answered:
        others = [text.replace(one.question, "") for text in others]
    own = Said(line.text for line in lines if line.speaker == USER)
    return Evidence(lines, own, answered, Said(others), names)


def _answered(lines: Sequence[Line]) -> Iterator[Answered]:
    for place, (asked, answer) in enumerate(pairwise(lines)):
        if asked.speaker != USER and answer.speaker == USER:
            for question, reply in replies(asked.text, answer.text):
                yield Answered(question, reply, Said([question]), lines[: place + 2])


def _said_by_user(wanted: str, lines: Sequence[Line]) -> bool:
    return any(wanted in letters(line.text) for line in lines if line.speaker == USER)
