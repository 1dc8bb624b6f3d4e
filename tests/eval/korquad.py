"""KorQuAD 1.0: every sentence of its passages one memory; a question needs the one that answers."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
from tqdm import tqdm

from gieok.policy import RecallPolicy
from tests.eval.house import BOTH, House, Known, Legs, Pair
from tests.eval.scores import Answered

_END = re.compile(r"(?<=[.!?])\s+|\n+")
_FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC)


class _Answer(msgspec.Struct, frozen=True):
    answer_start: int


class _Asked(msgspec.Struct, frozen=True):
    question: str
    answers: tuple[_Answer, ...]


class _Passage(msgspec.Struct, frozen=True):
    context: str
    qas: tuple[_Asked, ...]


class _Article(msgspec.Struct, frozen=True):
    paragraphs: tuple[_Passage, ...]


class _Set(msgspec.Struct, frozen=True):
    data: tuple[_Article, ...]


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of all passages as one pair's memories, with the questions."""

    pair: Pair
    questions: tuple[tuple[str, str], ...]


async def learn(house: House, path: Path) -> Sentences:
    """Learn every sentence; a sentence that occurs twice is one memory."""
    passages = _passages(path)
    sentences = list(dict.fromkeys(s for p in passages for _, s in _split(p.context)))
    memories = [
        Known(s, s, (s,), _FIRST_DAY + timedelta(minutes=n)) for n, s in enumerate(sentences)
    ]
    pair = await house.learn("korquad", memories)
    questions = tuple(
        (asked.question, _sentence_at(p.context, asked.answers[0].answer_start))
        for p in passages
        for asked in p.qas
    )
    house.prepare((q for q, _ in questions), "korquad questions")
    return Sentences(pair, questions)


def _passages(path: Path) -> list[_Passage]:
    whole = msgspec.json.decode(path.read_bytes(), type=_Set)
    return [passage for article in whole.data for passage in article.paragraphs]


async def ask(
    house: House, known: Sentences, policy: RecallPolicy, legs: Legs = BOTH
) -> list[Answered]:
    """What each question recalls."""
    return [
        Answered((sentence,), tuple(await house.recall(known.pair, question, policy, legs)))
        for question, sentence in tqdm(known.questions, desc="ask korquad", leave=False)
    ]


def _split(context: str) -> list[tuple[int, str]]:
    """Sentences with where they begin."""
    found, start = [], 0
    for end in [*_END.finditer(context), None]:
        text = context[start : end.start() if end else len(context)]
        if text.strip():
            found.append((start, text.strip()))
        start = end.end() if end else start
    return found


def _sentence_at(context: str, place: int) -> str:
    return [text for start, text in _split(context) if start <= place][-1]
