"""Our own Korean character chat: what a user would ask, and which memories answer."""

from dataclasses import dataclass

from gieok.policy import RecallPolicy
from tests.eval.house import BOTH, House, Known, Legs, Pair
from tests.eval.korean_set import KoreanMemory, KoreanQuestion, KoreanSet, load_korean_set
from tests.eval.scores import Answered


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
        recalled = await house.recall(pairs[question.pair], question.text, policy, legs)
        age = _age(whole, question)
        answered[question] = Answered(question.evidence, tuple(recalled), age)
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
        memory.id, memory.summary, memory.search_terms, memory.happened_at, memory.importance
    )
