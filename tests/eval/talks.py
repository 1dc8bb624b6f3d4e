"""Windows as the memories of one pair, and what is recalled and shown when it is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from tqdm import tqdm

from gieok.indexing.content import Content, embedded, indexed
from gieok.policy import PLAIN_RRF, SOURCE, RecallPolicy
from tests.eval.extracted import Extracted, extracted, locale, message, turns
from tests.eval.house import House, Known, Pair
from tests.eval.indexed import INDEXES
from tests.eval.prompted import Stage, character, prompted
from tests.eval.scores import Answered
from tests.eval.window_sets import Question, Window, WindowSet

PRESETS: Mapping[str, RecallPolicy] = {
    "plain_rrf": PLAIN_RRF,
    "source_preset": SOURCE,
    "without_context": replace(RecallPolicy(), context=()),
}
"""What the shipped recall is compared with."""
LATER = timedelta(hours=3)
"""From the last message of all to the questions: a new sitting."""
_TURNS = 6
"""Turns of history in each prompt: the policy's."""


@dataclass(frozen=True, slots=True)
class Talk:
    """Sets that one pair remembers, each with the stage of its questions."""

    pair: Pair
    sets: tuple[tuple[WindowSet, Stage], ...]
    order: tuple[str, ...]


async def learn(house: House, name: str, sets: Sequence[WindowSet], index: str) -> Talk:
    """One pair that remembers the windows of all sets, oldest first, indexed in one of the ways."""
    read = [(found, extracted(found)) for found in sets]
    memories = sorted(
        (known for found, left in read for known in _memories(found, left, index)),
        key=lambda known: known.happened_at,
    )
    pair = await house.learn(f"{name}-{index}", memories)
    house.prepare((q.question for found in sets for q in found.questions), f"{name} questions")
    now = memories[-1].happened_at + LATER
    staged = tuple((found, _stage(found, left, now)) for found, left in read)
    return Talk(pair, staged, tuple(m.key for m in memories))


async def ask(
    house: House, talk: Talk, policy: RecallPolicy, name: str = ""
) -> dict[tuple[str, Question], Answered]:
    """What each question recalls and its prompt shows, by the set's name and the question."""
    bar = tqdm(
        [(found, stage, q) for found, stage in talk.sets for q in found.questions],
        desc=f"ask {name}",
        leave=False,
    )
    return {
        (found.name, q): await _answer(house, talk.pair, found, stage, q, policy)
        for found, stage, q in bar
    }


async def _answer(
    house: House,
    pair: Pair,
    found: WindowSet,
    stage: Stage,
    question: Question,
    policy: RecallPolicy,
) -> Answered:
    recalled = await house.recalled(pair, question.question, policy)
    seen = prompted(stage, recalled, question.question)
    return Answered(
        needed=found.windows_of(question.evidence),
        recalled=tuple(pair.keys[r.memory.id] for r in recalled),
        shown=frozenset(pair.keys[id] for id in seen.shown),
        whole=frozenset(pair.keys[id] for id in seen.whole),
    )


def _memories(found: WindowSet, left: Extracted, index: str) -> list[Known]:
    windows = {found.key(w): w for w in found.windows}
    return [_known(found, windows[key], left, index) for key in left.windows]


def _known(found: WindowSet, window: Window, left: Extracted, index: str) -> Known:
    key = found.key(window)
    extraction = left.windows[key]
    policy = INDEXES[index]
    content = Content(
        extraction.summary, extraction.search_terms, extraction.related_terms, extraction.asked_as
    )
    return Known(
        key=key,
        text=extraction.summary,
        terms=indexed(content, policy),
        happened_at=message(window.messages[-1]).created_at,
        importance=extraction.importance,
        details=extraction.details,
        document=embedded(extraction.summary, extraction.asked_as, policy),
    )


def _stage(found: WindowSet, left: Extracted, now: datetime) -> Stage:
    said = [turn for window in found.windows[-2:] for turn in turns(window)]
    states = {name: version.state for name, version in left.relationships.items()}
    return Stage(character(found.character, locale(found)), now, states, said[-_TURNS:])
