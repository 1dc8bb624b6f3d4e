"""What is remembered, sentence by sentence, and which of it a message is about."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from gieok.language import korean
from gieok.prompt.memory_block import MemoryLine, read_memory_lines
from gieok.providers.offline.corrections import corrected_by
from gieok.providers.offline.related import concepts
from gieok.providers.offline.sentences import features, search_terms, sentences
from gieok.types import Locale

_QUOTED = re.compile(
    r"(?:“(?P<ko>[^“”]+)”|「(?P<ja>[^「」]+)」)(?:\s?\(→ [“「](?P<correction>[^“”「」]+)[”」]\))?"
)
_CORRECTION = re.compile(r"→ “([^“”]+)”")
_NUMBER = re.compile(
    r"\d|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|스물|서른|하나|둘|셋|넷)\s?(?:살|명|개|번"
    r"|마리|시|달|시간|잔)"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b"
)
_ASKS_NUMBER = re.compile(
    r"몇|언제|며칠|얼마|나이|날짜|\b(?:when|how (?:many|much|old|long))\b|いつ|何(?:歳|時|日|人"
    r"|個)|いくら",
    re.IGNORECASE,
)
_CONCEPT = 0.5
"""What a shared category counts beside a shared word, which counts 1 if no other text has it."""
_OF_KIND = 1.3
"""By how much a text with a number, or with a name, is nearer to a question that asks for one."""
_ASPECTS = (
    "이름",
    "나이",
    "날짜",
    "생일",
    "직업",
    "번호",
    "색깔",
    "시간",
    "name",
    "age",
    "job",
    "date",
)
"""Words for what is asked of a thing, which many other things have too."""
SURE = 0.2
"""The score below which a text is not worth quoting to a question about the past."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Remembered words and their time. `told` says that they are the user's own, `correction` is
    what the user put in their place."""

    when: str
    text: str
    told: bool
    correction: str = ""


def remembered(memories: str, user: str) -> list[Evidence]:
    """What the lines of a memories section say, oldest first; `user` is the user's label in it."""
    lines = read_memory_lines(memories)
    found = list(dict.fromkeys(e for line in lines for e in _of_memory(line, user)))
    for earlier, later in corrected_by([e.text if e.told else "" for e in found]).items():
        found[earlier] = replace(found[earlier], correction=found[later].text)
    return found


def told_earlier(talk: str) -> list[Evidence]:
    """What the user said in the section of an earlier talk, oldest first."""
    spoken = ((line.when, _QUOTED.search(line.summary)) for line in read_memory_lines(talk))
    return [
        Evidence(when, said, True)
        for when, quoted in spoken
        if quoted
        for said in sentences(quoted["ko"] or quoted["ja"])
    ]


def _of_memory(line: MemoryLine, user: str) -> Iterator[Evidence]:
    when = re.split(r"[,·;|]| [~–-] ", line.when)[0].strip()
    for sub in line.sub_lines:
        who, _, rest = sub.partition(": ")
        quoted = _QUOTED.search(rest)
        correction = _CORRECTION.search(rest)
        text = (quoted["ko"] or quoted["ja"]) if quoted else rest
        told = bool(quoted) and who.startswith(user)
        yield Evidence(when, text, told, correction[1] if correction else "")
    if not _QUOTED.search(line.summary):
        yield from (Evidence(when, s, False) for s in sentences(line.summary))
        return
    for quoted in _QUOTED.finditer(line.summary):
        text = quoted["ko"] or quoted["ja"]
        if not any(text.rstrip(".。") in sub for sub in line.sub_lines):
            yield Evidence(when, text, True, quoted["correction"] or "")


def closest(
    message: str, evidence: Sequence[Evidence], locale: Locale, names: Iterable[str] = ()
) -> Evidence | None:
    """The evidence that a question is about, the newest of equals; None when none shares enough.

    A word counts the less, the more texts have it; and a long text counts less than a short one
    with the same words. What was said in two sentences is evidence as both. Of the thing that is
    asked about a word must be there: another's name is no answer, and a dog is no cat.
    """
    asked, kinds = features(message, names), concepts(message, locale)
    evidence = [*evidence, *_together(evidence)]
    held = [features(e.text) for e in evidence]
    things = {f for f in asked if not any(f in aspect for aspect in _ASPECTS)}
    common = {f: sum(f in h for h in held) for f in asked}
    best, score = None, SURE
    for one, has in zip(evidence, held, strict=True):
        of_kind = kinds & concepts(one.text, locale)
        named = any(kind in message or kind in one.text for kind in of_kind)
        if things and not named and things.isdisjoint(has):
            continue
        shared = sum(1 / common[f] for f in asked & has) + _CONCEPT * bool(of_kind)
        told = _OF_KIND if (asked - things) & has else 1.0
        value = shared / max(len(has), 1) ** 0.5 * told * _fits(message, one.text)
        if value >= score:
            best, score = one, value
    return best


def _together(evidence: Sequence[Evidence]) -> Iterator[Evidence]:
    """What the user told in two sentences, one after the other."""
    for one, then in pairwise(evidence):
        if (
            one.told
            and then.told
            and one.when == then.when
            and not (one.correction or then.correction)
        ):
            yield replace(then, text=f"{one.text.rstrip('.。 ')}. {then.text}")


def _fits(question: str, text: str) -> float:
    wanted = _ASKS_NUMBER.search(question) and _NUMBER.search(text)
    return _OF_KIND if wanted else 1.0


def shares_topic(message: str, evidence: Evidence, names: Iterable[str] = ()) -> bool:
    """Whether both name the same thing, so surely that one may bring the other up unasked."""
    named = [t for t in search_terms(message, names) if len(t) > 1]
    said = korean.tokens(evidence.text)
    return any(token.startswith(term) for term in named for token in said)
