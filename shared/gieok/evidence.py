"""What somebody may be said to have told or done, by the words of a window.

A character makes things up, and what it makes up must never come back as the user's own. So words
that only others said prove nothing of somebody, with one exception: a character's *question* that
the user answers with a plain yes. "너 서울 살아?" – "응" is how people tell things; "너 부산에서
살았잖아" – "응" is how they are polite. A yes is plain that begins the answer and is followed by no
question, doubt or denial; after a negated question no yes is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gieok import korean
from gieok.quotes import USER, speaker
from gieok.telling import YES, Said, telling_words
from gieok.types import Message

_DOUBT = re.compile(
    r"[?？]|(?:^|[^가-힣])(?:아니|아냐|아닌|안|못|근데|하지만|글쎄|몰라)|않|모르|농담"
    r"|\b(?:no|not|nope|but|maybe|never|kidding)\b|n['’]t\b|ない|いや|でも|不|没"
)
_SENTENCE = re.compile(r"[^.!?…。！？\n]+[.!?…。！？]*")
_QUESTION = re.compile(r"[?？]\s*$|(?:까|까요|나요|가요|か)[\s.。]*$")
_CLAIM = re.compile(r"잖(?:아|아요|습니까)[\s?？]*$")
"""A claim, whatever mark it ends with."""
_NEGATED = re.compile(r"(?:^|[^가-힣])(?:안|못)\s|않|아니|없|n['’]t\b|\bnot\b|ない|ません")


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words of one speaker, what the speaker was asked, and the words of all others.

    Of 2,463 notes on what one of two friends said (LoCoMo, ten messages each), 4.3 % would fall
    because their words are mainly the other's; many of those are about the other.
    """

    own: Said
    asked: Said
    others: Said
    names: Sequence[str]

    def carries(self, text: str) -> bool | None:
        """Whether more of the text's words are the speaker's own than others' alone.

        What the speaker was asked, and answered, counts for neither. None when nobody said a word
        of the text: it may be a rewording.
        """
        words = telling_words(text, self.names)
        own = {word for word in words if word in self.own}
        asked = {word for word in words - own if word in self.asked}
        foreign = {word for word in words - own - asked if word in self.others}
        return len(own) > len(foreign) if own or asked or foreign else None


def evidence_of(who: str, messages: Sequence[Message], names: Sequence[str]) -> Evidence:
    """What `who` said in a window, oldest first; the `names` of its cast tell nothing.

    Of the user also the questions that a plain yes answered.
    """
    own = [m.text for m in messages if speaker(m) == who]
    others = [m.text for m in messages if speaker(m) != who]
    answered = list(_answered(messages)) if who == USER else []
    confirmed = [question for question, plain_yes in answered if plain_yes]
    asked = [question for question, _ in answered]
    for question in asked:
        others = [text.replace(question, "") for text in others]
    return Evidence(Said([*own, *confirmed]), Said(asked), Said(others), names)


def _answered(messages: Sequence[Message]) -> Iterator[tuple[str, bool]]:
    """The characters' questions that the user's next message does not deny.

    With each, whether the answer is a plain yes to it.
    """
    for asked, answer in pairwise(messages):
        if speaker(asked) == USER or speaker(answer) != USER or _DOUBT.search(answer.text.lower()):
            continue
        for question in _last_question(asked.text):
            plain = _begins_with_yes(answer.text) and not _NEGATED.search(question)
            yield question, plain


def _last_question(text: str) -> Sequence[str]:
    asked = (s.strip() for s in _SENTENCE.findall(text))
    return [s for s in asked if _QUESTION.search(s) and not _CLAIM.search(s)][-1:]


def _begins_with_yes(text: str) -> bool:
    return not YES.isdisjoint(korean.tokens(text)[:1])
