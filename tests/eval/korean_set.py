"""The Korean character-chat set: memories of four pairs and the questions asked of them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta

FOLDER: Final = Path(__file__).parent / "korean_chat"
"""Where `memories.jsonl` and `questions.jsonl` lie."""

ASKED_ON: Final = date(2026, 2, 28)
"""The day in Seoul on which every question is asked: what "작년" and "올해" count from."""

MIN_MEMORIES: Final = 400
MIN_QUESTIONS: Final = 300
MIN_PER_KIND: Final = 12

Text = Annotated[str, Meta(min_length=1)]

Kind = Literal[
    "particle",
    "compound",
    "nickname",
    "spacing",
    "jamo",
    "honorific",
    "date",
    "number",
    "english_in_hangul",
    "paraphrase",
    "multi",
    "one_syllable",
    "short_code",
    "short",
    "allusion",
    "typo",
    "changed",
    "no_answer",
]
"""What makes a question hard; the README beside the data says what each means."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


class KoreanSetInvalid(ValueError):
    """The set on disk breaks one of its own rules; the text names the file, line or id."""


@dataclass(frozen=True, slots=True)
class KoreanMemory:
    """One memory as extraction would leave it; `quotes` are the user's own words."""

    id: Text
    pair: Text
    happened_at: Annotated[datetime, Meta(tz=True)]
    summary: Text
    search_terms: Annotated[tuple[Text, ...], Meta(min_length=5, max_length=15)]
    importance: Annotated[int, Meta(ge=1, le=10)]
    quotes: Annotated[tuple[Text, ...], Meta(max_length=2)]


@dataclass(frozen=True, slots=True)
class KoreanQuestion:
    """One question of a pair's user; `evidence` holds memory ids, none where no answer exists.

    `note` gives the expected answer, or why there is none.
    """

    id: Text
    pair: Text
    text: Text
    evidence: tuple[Text, ...]
    kind: Kind
    note: Text


@dataclass(frozen=True, slots=True)
class KoreanSet:
    """All memories, oldest first within a pair, and all questions, grouped by kind."""

    memories: tuple[KoreanMemory, ...]
    questions: tuple[KoreanQuestion, ...]

    @property
    def pairs(self) -> tuple[str, ...]:
        """The pairs, each once, in file order."""
        return tuple(dict.fromkeys(memory.pair for memory in self.memories))

    @property
    def answerable(self) -> tuple[KoreanQuestion, ...]:
        """The questions that count towards hit@12: those with evidence."""
        return tuple(question for question in self.questions if question.evidence)


def load_korean_set(folder: Path = FOLDER) -> KoreanSet:
    """The set in `folder`, checked. Raises `KoreanSetInvalid` at the first broken rule."""
    loaded = KoreanSet(
        memories=_rows(folder / "memories.jsonl", KoreanMemory),
        questions=_rows(folder / "questions.jsonl", KoreanQuestion),
    )
    _check_unique([*loaded.memories, *loaded.questions])
    _check_evidence(loaded)
    _check_counts(loaded)
    return loaded


Row = TypeVar("Row", KoreanMemory, KoreanQuestion)


def _rows(path: Path, form: type[Row]) -> tuple[Row, ...]:
    # Split as bytes: str.splitlines would also break at separators inside a text.
    lines = path.read_bytes().splitlines()
    return tuple(_row(path, number, line, form) for number, line in enumerate(lines, start=1))


def _row(path: Path, number: int, line: bytes, form: type[Row]) -> Row:
    try:
        return msgspec.json.decode(line, type=form)
    except msgspec.DecodeError as exc:
        raise KoreanSetInvalid(f"{path.name}:{number}: {exc}") from exc


def _check_unique(rows: Iterable[KoreanMemory | KoreanQuestion]) -> None:
    counts = Counter(row.id for row in rows)
    if repeated := sorted(id_ for id_, count in counts.items() if count > 1):
        raise KoreanSetInvalid(f"ids used more than once: {', '.join(repeated)}")


def _check_evidence(loaded: KoreanSet) -> None:
    pair_of = {memory.id: memory.pair for memory in loaded.memories}
    for question in loaded.questions:
        if bool(question.evidence) == (question.kind == "no_answer"):
            raise KoreanSetInvalid(f"{question.id}: only no_answer, and always, has no evidence")
        if len(set(question.evidence)) < len(question.evidence):
            raise KoreanSetInvalid(f"{question.id}: evidence named twice")
        for memory_id in question.evidence:
            if pair_of.get(memory_id) != question.pair:
                raise KoreanSetInvalid(
                    f"{question.id}: {memory_id} is no memory of {question.pair}"
                )


def _check_counts(loaded: KoreanSet) -> None:
    kinds = Counter(question.kind for question in loaded.questions)
    _at_least(MIN_MEMORIES, len(loaded.memories), "memories")
    _at_least(MIN_QUESTIONS, len(loaded.questions), "questions")
    for kind in KINDS:
        _at_least(MIN_PER_KIND, kinds[kind], f"questions of kind {kind}")


def _at_least(least: int, found: int, what: str) -> None:
    if found < least:
        raise KoreanSetInvalid(f"{found} {what}, at least {least} needed")
