"""LoCoMo: long English conversations, one turn one memory, questions of categories 1 to 4."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tqdm import tqdm

from gieok.policy import RecallPolicy
from infra.local.demo.locomo import Sample, Turn, evidence, samples
from tests.eval.house import BOTH, House, Known, Legs, Pair
from tests.eval.scores import Answered

WHEN = "%I:%M %p on %d %B, %Y"
"""As the data set writes a session's time: "1:56 pm on 8 May, 2023"."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation that is remembered, with its questions and the places of its memories."""

    pair: Pair
    order: Mapping[str, int]
    questions: tuple[tuple[str, tuple[str, ...]], ...]


async def learn(house: House, path: Path, size: int | None = None) -> list[Conversation]:
    """All conversations, each a pair of its own; with `size`, each block of so many turns is one.

    Blocks are cut from the end. A question is asked where all its evidence lies in one block.
    """
    learned = []
    for number, sample in enumerate(samples(path)):
        asked = _questions(sample)
        for block in _blocks(_memories(sample), size):
            kept = {m.key: place for place, m in enumerate(block)}
            questions = tuple((q, ids) for q, ids in asked if kept.keys() >= set(ids))
            if questions:
                pair = await house.learn(f"locomo-{number}", block)
                learned.append(Conversation(pair, kept, questions))
    house.prepare((q for c in learned for q, _ in c.questions), "locomo questions")
    return learned


async def ask(
    house: House,
    conversations: list[Conversation],
    policy: RecallPolicy,
    legs: Legs = BOTH,
    name: str = "",
) -> list[Answered]:
    """What each question recalls."""
    answered = []
    for conversation in tqdm(conversations, desc=f"ask locomo {name}", leave=False):
        for question, needed in conversation.questions:
            recalled = await house.recall(conversation.pair, question, policy, legs)
            newest = max(conversation.order[key] for key in needed)
            age = len(conversation.order) - 1 - newest
            answered.append(Answered(needed, tuple(recalled), age))
    return answered


def _blocks(memories: list[Known], size: int | None) -> list[list[Known]]:
    if size is None:
        return [memories]
    ends = range(len(memories), 0, -size)
    return [memories[max(end - size, 0) : end] for end in ends]


def _memories(sample: Sample) -> list[Known]:
    """Every turn, oldest first; the newest is the last one said."""
    return [
        _memory(turn, sample.text(f"session_{number}_date_time"), minute)
        for number in sample.sessions
        for minute, turn in enumerate(sample.turns(number))
    ]


def _memory(turn: Turn, session_at: str, minute: int) -> Known:
    """A turn as a memory: who said what. Its own words are its search terms."""
    at = datetime.strptime(re.sub(r"\s+", " ", session_at), WHEN).replace(tzinfo=UTC)
    text = f"{turn.speaker}: {turn.said}"
    return Known(turn.dia_id, text, (text,), at + timedelta(minutes=minute))


def _questions(sample: Sample) -> list[tuple[str, tuple[str, ...]]]:
    turns = {t.dia_id: t for number in sample.sessions for t in sample.turns(number)}
    found = [(asked.question, evidence(asked, turns)) for asked in sample.qa]
    return [(question, ids) for question, ids in found if ids]
