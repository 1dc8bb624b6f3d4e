"""Our own Korean character chat: what a user would ask, and which memories answer."""

from dataclasses import dataclass
from datetime import datetime, time
from zoneinfo import ZoneInfo

from gieok.indexing.content import Content, indexed
from gieok.policy import COMPANION, RecallPolicy
from gieok.types import USER, KeyDetail
from tests.eval.house import BOTH, House, Known, Legs, Pair
from tests.eval.korean_set import (
    ASKED_ON,
    KoreanMemory,
    KoreanQuestion,
    KoreanSet,
    load_korean_set,
)
from tests.eval.prompted import Stage, character, prompted
from tests.eval.scores import Answered

_NOON = datetime.combine(ASKED_ON, time(12), ZoneInfo(COMPANION.time_zone))
_STAGE = Stage(character("하늘", "ko"), _NOON, {})


@dataclass(frozen=True, slots=True)
class Missed:
    """A question of which nothing was recalled: the gap between us and a careful reader."""

    id: str
    kind: str


async def learn(house: House) -> tuple[KoreanSet, dict[str, Pair]]:
    """Every pair with its memories; only the questions that have an answer count."""
    whole = load_korean_set()
    pairs = {
        name: await house.learn(name, [_memory(m) for m in whole.memories if m.pair == name])
        for name in whole.pairs
    }
    house.prepare((q.text for q in whole.questions), "korean questions")
    return whole, pairs


async def ask(
    house: House,
    whole: KoreanSet,
    pairs: dict[str, Pair],
    policy: RecallPolicy,
    legs: Legs = BOTH,
) -> dict[KoreanQuestion, Answered]:
    """What each answerable question recalls."""
    answered = {}
    for question in whole.answerable:
        pair = pairs[question.pair]
        recalled = await house.recalled(pair, question.text, policy, legs)
        seen = prompted(_STAGE, recalled, question.text)
        answered[question] = Answered(
            needed=question.evidence,
            recalled=tuple(pair.keys[r.memory.id] for r in recalled),
            age=_age(whole, question),
            shown=frozenset(pair.keys[id] for id in seen.shown),
            whole=frozenset(pair.keys[id] for id in seen.whole),
        )
    return answered


def _age(whole: KoreanSet, question: KoreanQuestion) -> int:
    """Memories of the pair since the newest of the evidence."""
    order = [m.id for m in whole.memories if m.pair == question.pair]
    return len(order) - 1 - max(order.index(id) for id in question.evidence)


def missed(answered: dict[KoreanQuestion, Answered]) -> list[Missed]:
    """Every question without any of its evidence."""
    return [Missed(q.id, q.kind) for q, answer in answered.items() if answer.share == 0]


def _memory(memory: KoreanMemory) -> Known:
    return Known(
        key=memory.id,
        text=memory.summary,
        terms=indexed(Content(memory.summary, memory.search_terms), COMPANION.index),
        happened_at=memory.happened_at,
        importance=memory.importance,
        details=tuple(KeyDetail("quote", USER, text) for text in memory.quotes),
    )
