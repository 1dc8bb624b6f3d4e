"""How what one says is answered: yes, no, perhaps, or by a promise; by words, not by grammar.

Texts are in `korean.normalise`'s form.
"""

import re
from collections.abc import Sequence
from typing import Literal

from gieok.language import korean
from gieok.language.clauses import is_negated
from gieok.language.lexicons import YES

_LENGTHENED_YES = re.compile("(?:[응웅엉어예네넵넹옙ㅇ])+")
"""응, 웅웅, 네네, ㅇㅇ: as long as somebody likes."""
_INTERJECTIONS = "of hell heck oh ah well haha hahaha lol omg 음 아 오 헉 와"
_BEFORE_YES = frozenset(_INTERJECTIONS.split())
_NOT_SURE = re.compile(
    r"[?？]|글쎄|몰라|모르|아마|농담|장난|비밀|たぶん|秘密"
    r"|\b(?:maybe|perhaps|probably|dunno|kidding|joking|secret|guess)\b|\bnot sure\b"
)
_NO = re.compile(
    r"(?:^|[^가-힣])(?:아니|아뇨|아냐|아닌|노노|별로|그닥|딱히)|[은는건난넌]\s됐[어고]|ㄴㄴ"
    r"|\b(?:no|nope|nah)\b|いや|いいえ|ううん"
)
_TAKEN_BACK = re.compile(
    r"아니|농담|장난|뻥|별로|\b(?:nope|kidding|joking|jk)\b|\bnot (?:really|any)"
)
_PART = re.compile(r".+?(?:[.!?…。！？,、\n]+|(?=근데|그런데|하지만|\bbut\b|でも)|$)")
_SENTENCE = re.compile(r"[^.!?…。！？\n]+[.!?…。！？]*")
_QUESTION = re.compile(r"[?？]\s*$|(?:까|까요|나요|가요|か)[\s.。]*$")
_CLAIM = re.compile(r"잖(?:아|아요|습니까)[\s?？]*$")
"""A claim, whatever mark it ends with."""
_PROMISE = re.compile(
    r"[가-힣][게께](?:요|용)?(?![가-힣])|알써|알았|알겠|오케|오키|ㅇㅋ|약속|맹세|콜(?![가-힣])"
    r"|\b(?:i['’]ll|will do|deal|sure|ok|okay|promise)\b|了解|わかった|約束|るね|すね"
)
"""How one says that one will do as one was asked."""

Reply = Literal["yes", "no", "unsure", "open"]
"""How something was answered: `open` in other words, without a yes or no."""


def is_yes(token: str) -> bool:
    """Whether a normalised token is a yes."""
    return token in YES or bool(_LENGTHENED_YES.fullmatch(token))


def replies(said: str, answer: str) -> Sequence[tuple[str, Reply]]:
    """What of a text an answer answers, and how.

    A promise and an outright no answer all of it, anything else the last question of it; nothing
    answers a claim.
    """
    sentences = [s.strip() for s in _SENTENCE.findall(said) if not _CLAIM.search(s)]
    if _NO.search(_first_parts(answer)[0]):
        return [(s, _reply(s, answer)) for s in sentences]
    if _PROMISE.search(answer):
        return [(s, "no" if is_negated(s) else "yes") for s in sentences]
    return [(s, _reply(s, answer)) for s in sentences if _QUESTION.search(s)][-1:]


def _first_parts(answer: str) -> tuple[str, str]:
    first, second, *_ = [*_PART.findall(answer[:_LONGEST]), "", ""]
    return first, second


_LONGEST = 300
"""Characters of an answer that are looked at: a yes or no stands at its beginning."""


def _reply(question: str, answer: str) -> Reply:
    """By how the answer begins: what follows is about something else, or takes a yes back."""
    first, second = _first_parts(answer)
    spoken = (t for t in korean.tokens(first) if t not in _BEFORE_YES)
    yes, negated = is_yes(next(spoken, "")), is_negated(first)
    no = negated or bool(_NO.search(first))
    if not (yes or no or _NOT_SURE.search(first)):
        return "open"
    if _NOT_SURE.search(first) or (yes and _TAKEN_BACK.search(second)):
        return "unsure"
    if is_negated(question):
        return "no" if negated else "unsure"
    return "unsure" if yes and no else "yes" if yes else "no"
