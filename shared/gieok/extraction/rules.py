"""The rules by which the words of a window refuse a fact, though its quote was said, or call it a
story.

Each is worth its lines: docs/decisions/21 has what each loses and catches, alone and left out.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gieok.extraction.content_words import Said, says_something
from gieok.extraction.quotes import Line, Place
from gieok.extraction.window_context import WindowContext
from gieok.language import marks
from gieok.language.clauses import HEARSAY, Clause
from gieok.language.third_person import about_another, about_speaker, has_subject, mentions_another
from gieok.types import USER, FactSubject, Reality


@dataclass(frozen=True)
class Claim:
    """What a fact says of whom, and where the words are said that it rests on.

    `persons` are the names of others of whom facts are told. Text is in `korean.normalise`'s form.
    """

    text: str
    subject: FactSubject
    name: str
    reality: Reality
    quote: str
    place: Place
    window: WindowContext
    persons: Sequence[str]

    @cached_property
    def words(self) -> frozenset[str]:
        """The content words of it."""
        return self.window.evidence.words(self.text)

    @cached_property
    def told(self) -> Sequence[Clause]:
        """Of the clauses that the quote is of, those with most of its words."""
        of_quote = self.place.clauses or self.place.line.clauses[:1]
        counts = [sum(word in Said([c.text]) for word in self.words) for c in of_quote]
        return [c for c, count in zip(of_quote, counts, strict=True) if count == max(counts)]

    @property
    def sentence(self) -> Sequence[Clause]:
        """The clauses from where its sentence begins up to the last that tells it."""
        line, first = self.place.line.clauses, self.told[0].start
        begins = max((c.end for c in line if c.ends_sentence and c.end <= first), default=0)
        return [c for c in line if begins <= c.start <= self.told[-1].start]

    @property
    def lines(self) -> Sequence[Line]:
        """What was said in the window, oldest first."""
        return self.window.transcript.lines

    @property
    def is_of_another(self) -> bool:
        """Whether it is of somebody else, or says so in its text."""
        return self.subject != USER or mentions_another(self.text, self.persons)


Rule = Callable[[Claim], bool]

_TAKEN_BACK = re.compile(
    r"(?:뻥|장난|농담|구라)(?!\S?\s?(?:아니|아님|안\s))"
    r"|\bjk\b|(?<!not )(?<!n't )\b(?:kidding|joking)\b"
    r"|(?:冗談|うそ|嘘)(?!じゃな|ではな)"
)
_SUPPOSED = re.compile(r"만약|만일|\bif i (?:ever|could|had|were|was)\b|もし")
_CONDITION = re.compile(r"면|만약|만일|\b(?:if|would|should)\b|もし|なら|たら")
_TOLD_STORY = re.compile(
    r"꿈에|꿈속|꿈꿨|소설|주인공|역할극|夢で|夢の中|小説|主人公"
    r"|\b(?:dreamt|dreamed|in (?:a|my) dream|protagonist|my novel)\b"
)
_MACHINE = re.compile(
    r"사용자|유저|시스템|프롬프트|\b(?:user|system|prompt|assistant)\b|ユーザー|システム|\[[^\[\]]+\]"
)
_ORDER = re.compile(
    r"(?:저장|기록|기억|등록|설정|삭제|초기화|무시)(?:하|해|한다|할)"
    r"|\b(?:save|store|remember|ignore|set|delete|call)\b|保存|記録|無視|覚え"
)


def is_invented(claim: Claim) -> bool:
    """More of its words are others' alone than the user's own; or it is a rewording of nothing.

    At a tie it stands by a word of its quote that nobody else had said before.
    """
    own, foreign = claim.window.evidence.carries(claim.text)
    if own != foreign or not own:
        return own < foreign or not (own or says_something(claim.quote))
    earlier, quote = (
        Said(x.text for x in claim.lines[: claim.place.number] if x.speaker != USER),
        Said([claim.quote]),
    )
    new = (word for word in claim.words if word in quote and word not in earlier)
    return not any(word in claim.window.evidence.own for word in new)


def is_denied(claim: Claim) -> bool:
    """The user denied it: "나 여동생 없는데?" tells of no sister."""
    return bool(claim.window.evidence.denies(claim.text, claim.place.line, claim.name))


def is_quoted(claim: Claim) -> bool:
    """Words inside quotation marks are of whom they quote."""
    at = claim.place
    return not claim.is_of_another and marks.is_quoted(at.line.text, at.start, at.end)


def is_of_another(claim: Claim) -> bool:
    """The clause it rests on is about another, whom it leaves out."""
    if claim.is_of_another:
        return False
    before = [c for c in claim.place.line.clauses if c.end <= claim.told[0].start]
    if not any(has_subject(c.text) for c in claim.told):
        return any(about_another(c.text, claim.persons) for c in before[-1:])
    own = any(about_speaker(c.text) for c in before if c in claim.place.clauses)
    return not own and all(about_another(c.text, claim.persons) for c in claim.told)


def is_hearsay(claim: Claim) -> bool:
    """What was heard is of the person last spoken of: "친구들이랑 낚시 간대"."""
    heard = (HEARSAY.search(c.text) and not has_subject(c.text) for c in claim.told)
    if claim.is_of_another or not all(heard):
        return False
    before = claim.place.line.text[: claim.told[0].start]
    earlier = [x.text for x in claim.lines[: claim.place.number] if x.speaker == USER]
    return any(mentions_another(text, claim.persons) for text in (before, *earlier[-1:]))


def is_taken_back(claim: Claim) -> bool:
    """The user called it a joke, behind it or at the beginning of the next message."""
    if claim.reality != "real":
        return False
    own = [x for x in claim.lines[claim.place.number + 1 :] if x.speaker == USER][:1]
    following = [c.text for x in own for c in x.clauses[:2]]
    rest = claim.place.line.text[claim.place.end :]
    return any(_TAKEN_BACK.search(text) for text in (rest, *following))


def is_supposed(claim: Claim) -> bool:
    """It was said of what may be, and the fact leaves that out."""
    if claim.reality != "real" or _CONDITION.search(claim.text):
        return False
    return any(_SUPPOSED.search(c.text) for c in claim.sentence)


def is_order(claim: Claim) -> bool:
    """The line orders a machine to store something of "the user"."""
    line = claim.place.line.text
    return bool(_MACHINE.search(line) and _ORDER.search(line))


def is_story(claim: Claim) -> bool:
    """It was dreamt or is of a story, or at least half of what the user says in the window is
    played, and this is not said aside."""
    if _TOLD_STORY.search(claim.text):
        return False
    told = any(_TOLD_STORY.search(c.text) for c in claim.sentence)
    at = claim.place
    aside = marks.is_aside(at.line.text, at.start, at.end)
    return told or (claim.window.is_played and not aside)


RULES: Mapping[str, Rule] = {
    rule.__name__.removeprefix("is_"): rule
    for rule in (
        *(is_invented, is_denied, is_quoted, is_of_another),
        *(is_hearsay, is_taken_back, is_supposed, is_order, is_story),
    )
}
