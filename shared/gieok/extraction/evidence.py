"""What somebody may be said to have told or done, by the words of a window.

A character makes things up, and what it makes up must never come back as the user's own. So words
that only others said prove nothing of somebody, with one exception: a character's *question* that
the user answers. "너 서울 살아?" – "응" is how people tell things; "너 부산에서 살았잖아" – "응" is
how they are polite.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from gieok.extraction.content_words import Said, begins_with_yes, content_words
from gieok.extraction.quotes import speaker
from gieok.extraction.third_person import mentions_another
from gieok.types import USER, Message

_NOT_SURE = re.compile(
    r"[?？]|글쎄|몰라|모르|아마|농담|장난|비밀|たぶん|秘密"
    r"|\b(?:maybe|perhaps|probably|dunno|kidding|joking|secret|guess)\b|\bnot sure\b"
)
_NEGATED = re.compile(
    r"(?:^|[^가-힣])(?:안(?!녕|경|내|전|방|쪽|심)|못)|않|없|싫|ない|ません|不|没"
    r"|n['’]t\b|\b(?:not|never|cannot|no longer)\b"
)
_NO = re.compile(
    r"(?:^|[^가-힣])(?:아니|아뇨|아냐|아닌|노노|별로|그닥|딱히)|ㄴㄴ|\b(?:no|nope|nah)\b"
    r"|いや|いいえ|ううん"
)
_TAKEN_BACK = re.compile(
    r"아니|농담|장난|뻥|별로|\b(?:nope|kidding|joking|jk)\b|\bnot (?:really|any)"
)
_CLAUSE = re.compile(r".+?(?:[.!?…。！？,、\n]+|(?=근데|그런데|하지만|\bbut\b|でも)|$)")
_SENTENCE = re.compile(r"[^.!?…。！？\n]+[.!?…。！？]*")
_QUESTION = re.compile(r"[?？]\s*$|(?:까|까요|나요|가요|か)[\s.。]*$")
_CLAIM = re.compile(r"잖(?:아|아요|습니까)[\s?？]*$")
"""A claim, whatever mark it ends with."""

Reply = Literal["yes", "no", "unsure", "open"]
"""How a question was answered: `open` in the user's own words, without a yes or no."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A character's question that the user's next message answers."""

    question: str
    reply: Reply

    def tells(self, text: str) -> bool:
        """Whether the answer says what a text does: yes to it, or no where the text is negated."""
        return self.reply == ("no" if _NEGATED.search(text) else "yes")

    def is_against(self, text: str, name: str) -> bool:
        """Whether the answer speaks against what a text says: of the user, or of `name`."""
        asked = not name or name in self.question or mentions_another(self.question)
        return asked and not (self.reply == "open" or self.tells(text))


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words of one speaker, what the speaker was asked, and the words of all others.

    Of 2,526 notes on what one of two friends said (LoCoMo, ten messages each), 4.4 % would fall
    because their words are mainly the other's; many of those are about the other.
    """

    own: Said
    answered: Sequence[Answered]
    others: Said
    names: Sequence[str]

    def carries(self, text: str, quote: str = "", name: str = "") -> bool | None:
        """Whether more of the text's words are the speaker's own than others' alone.

        What was asked is the speaker's own as far as the answer `tells` it; else it counts for
        neither. A text that has only such words, and of a question whose answer `is_against` it, is
        not carried. At a tie it is when the `quote` it rests on has a word of it that nobody else
        said. None when nobody said a word of it, or only an open question did: it may be a
        rewording. `name` is of whom it is about, if not of the user.
        """
        words = content_words(text, self.names) or content_words(text, self.names, persons=True)
        told = Said(a.question for a in self.answered if a.tells(text))
        against = Said(a.question for a in self.answered if a.is_against(text, name))
        questions = self._asked()
        own = {word for word in words if word in self.own or word in told}
        asked = {word for word in words - own if word in questions}
        if any(word in against for word in asked) and all(word in against for word in own):
            return False
        foreign = {word for word in words - own - asked if word in self.others}
        if len(own) == len(foreign):
            return self._is_new(own, quote) if own else None
        return len(own) > len(foreign)

    def mentions(self, text: str) -> bool:
        """Whether anybody said a word of the text."""
        known = (self.own, self.others, self._asked())
        return any(word in said for word in content_words(text, self.names) for said in known)

    def _asked(self) -> Said:
        return Said(a.question for a in self.answered)

    def _is_new(self, own: set[str], quote: str) -> bool:
        said = Said([quote])
        return any(word in said and word not in self.others for word in own)


def evidence_of(messages: Sequence[Message], names: Sequence[str]) -> Evidence:
    """What the user said in a window, oldest first, and the questions that they answered.

    The `names` of the cast tell nothing.
    """
    own = [m.text for m in messages if speaker(m) == USER]
    others = [m.text for m in messages if speaker(m) != USER]
    answered = list(_answered(messages))
    for one in answered:
        others = [text.replace(one.question, "") for text in others]
    return Evidence(Said(own), answered, Said(others), names)


def _answered(messages: Sequence[Message]) -> Iterator[Answered]:
    """The last question of each message of a character's that the user's message follows."""
    for asked, answer in pairwise(messages):
        if speaker(asked) != USER and speaker(answer) == USER:
            for question in _last_question(asked.text):
                yield Answered(question, _reply(question, answer.text.lower()))


def _last_question(text: str) -> Sequence[str]:
    asked = (s.strip() for s in _SENTENCE.findall(text))
    return [s for s in asked if _QUESTION.search(s) and not _CLAIM.search(s)][-1:]


def _reply(question: str, answer: str) -> Reply:
    """By how the answer begins: what follows is about something else, or takes a yes back."""
    first, *rest = _CLAUSE.findall(answer) or [""]
    yes, negated = begins_with_yes(first), bool(_NEGATED.search(first))
    no = negated or bool(_NO.search(first))
    if not (yes or no or _NOT_SURE.search(first)):
        return "open"
    if _NOT_SURE.search(first) or (yes and _TAKEN_BACK.search("".join(rest[:1]))):
        return "unsure"
    if _NEGATED.search(question):
        return "no" if negated else "unsure"
    return "unsure" if yes and no else "yes" if yes else "no"
