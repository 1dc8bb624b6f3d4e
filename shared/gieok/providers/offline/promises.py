"""Promises and lines not to cross: what is promised, what is taken back, what is kept out."""

import re
from collections.abc import Sequence

from gieok.providers.offline.cues import BOUNDARY, CUES, PROMISE, words
from gieok.providers.offline.names import gives_name
from gieok.providers.offline.sentences import asks_now, topics, worth
from gieok.providers.offline.speech import asked_level, is_reported, said_by_the_user
from gieok.relationship.mention import mentions

_CANCELS = re.compile(
    r"취소(?=하|할|해|됐|된|야|다|요|$|[.!~])|없던\s?(?:걸로|일로|거)"
    r"|약속[은을이도]?\s?(?:\S+\s)?(?:깨|깰|무르|물리|접자|안\s?지)"
    r"|(?:안|못)\s?\S+도\s?(?:돼|되|괜찮)|지\s?않아도\s?(?:돼|되|괜찮)|기로\s?한\s?(?:거|건"
    r"|것)\S*\s(?:안|못|그만|됐)"
    r"|약속[은을]?\s?(?:\S+\s)?(?:지켜\s?(?:줘서|줬)|지켰)"
    r"|\bcancel|\bcall(?:ed|ing)? (?:it|that) off|\bdon't have to\b|\bnever mind about\b"
    r"|(?:キャンセル|取り消|なしに)",
    re.IGNORECASE,
)
"""Phrases by which a promise is taken back, or said to be kept."""
_OF_PROMISES = re.compile(
    r"약속\S*|취소\S*|기로|\bpromise\w*|\bcancel\w*|約束|キャンセル", re.IGNORECASE
)
_TO_OTHERS = re.compile(
    r"(?<![가-힣])(?!너|나|저|우리|당신)[가-힣]+(?:랑|하고|이랑|와|과|한테|에게)\s(?:\S+\s){0,4}?약속"
)
_MUST = re.compile(r"(?:줘|줄게|줄)야\s?(?:돼|되|해|겠|하)|줘서|줬으면\s?됐")
_PROPOSES = re.compile(
    r"자(?=[\s.!~?]|$)|[을갈할볼올먹줄살될][게께래까](?=[\s.!~?요]|$)|기로|거야|거예요|겠|줘"
    r"|주세요|와(?=[\s.!~]|$)"
    r"|\blet's\b|\b(?:we|i)'ll\b|\bwill\b|\bgoing to\b|よう(?=[。!！]|$)|[うくむるつぶ]ね",
    re.IGNORECASE,
)
"""An ending by which one proposes or undertakes something."""
_ONLY_PROMISES = words("약속 약속이야 약속해 약속할게 약속이다 약속하자 진짜 promise 約束")
_SAYS_NO_WHAT = re.compile(
    r"(?:알려|말해|얘기해|기억해|챙겨|물어봐|깨워|해)?(?:줘|줘요|주세요|줄래)|마|마요|말아"
)
"""Requests that say what for in another sentence: "내일 꼭 알려줘"."""
_COMFORT = re.compile(
    r"(?:걱정|긴장|무리|미안해|고민|포기|속상해|신경|부담|자책)[은을도]?\s?(?:쓰|하|갖)지"
)
_ORDER = re.compile(
    r"(?:마|마요|마세요|말아|말자|말고|줘|줘요|주세요|해|해요|하자|써|써요|부탁해|부탁드려요"
    r"|금지)(?:\s?[^\w\s]|[\s_ㄱ-ㅣ])*$"
    r"|\b(?:please|don't|do not|no more|stop|keep|always|never)\b|(?:ください|ないで"
    r"|して)[。!！]?$",
    re.IGNORECASE,
)
"""How one tells another what to do."""


def is_promise(sentence: str) -> bool:
    """Whether a sentence promises or asks for a promise: no question, no report, nothing that is
    taken back, and no request to be called something."""
    own = said_by_the_user(sentence)
    if (
        not PROMISE.search(own)
        or asks_now(own)
        or own.endswith("?")
        or _CANCELS.search(own)
        or _MUST.search(own)
    ):
        return False
    named = CUES["name"].search(own) or gives_name("user", own)
    return not (named or asked_level(own) or _TO_OTHERS.search(own))


def cancels(sentence: str) -> bool:
    """Whether a sentence takes a promise back, or says that one was kept."""
    return bool(_CANCELS.search(sentence)) and not is_reported(sentence) and "?" not in sentence


def promises_after(before: Sequence[str], said: Sequence[str]) -> list[str]:
    """The promises that stand after these sentences, oldest first.

    A sentence that says no more than that it is a promise stands with the one before it, which says
    what. A promise goes when it is taken back by its words, or the newest when none is named.
    """
    standing = list(before)
    for i, sentence in enumerate(said):
        if cancels(sentence):
            standing = _without(standing, sentence)
        elif promised := _promised(sentence, said[i - 1] if i else ""):
            standing = [s for s in standing if s != promised and s not in promised] + [promised]
    return standing


def _promised(sentence: str, previous: str) -> str:
    if not is_promise(sentence):
        return ""
    about = set(topics(sentence)) - _ONLY_PROMISES
    if not about:
        return f"{previous} {sentence}" if _PROPOSES.search(previous) else ""
    bare = all(_SAYS_NO_WHAT.fullmatch(topic) for topic in about)
    return f"{previous} {sentence}" if bare and worth(previous) else sentence


def _without(standing: Sequence[str], sentence: str) -> list[str]:
    rest = _OF_PROMISES.sub(" ", sentence)
    named = [p for p in standing if mentions(rest, "promises", _OF_PROMISES.sub(" ", p))]
    if not named and "약속" not in sentence and not re.search("promise|約束", sentence):
        return list(standing)
    gone = named or standing[-1:]
    return [p for p in standing if p not in gone]


def draws_line(sentence: str) -> bool:
    """Whether the user says what they do not want; to be told not to worry is none."""
    own = said_by_the_user(sentence)
    return bool(BOUNDARY.search(own)) and not _COMFORT.search(own) and not own.endswith("?")


def orders(aside: str) -> bool:
    """Whether something said beside the story tells how to play it."""
    return bool(_ORDER.search(aside)) and not asked_level(aside) and not gives_name("user", aside)
