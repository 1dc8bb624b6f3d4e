"""The Korean evaluation set keeps its own rules, and its loader refuses a set that does not."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any
from unicodedata import normalize
from zoneinfo import ZoneInfo

import pytest

from gieok.indexing import keywords
from gieok.language import repetition
from tests.eval.korean_set import (
    ASKED_ON,
    FOLDER,
    KINDS,
    MIN_MEMORIES,
    MIN_PER_KIND,
    MIN_QUESTIONS,
    KoreanMemory,
    KoreanQuestion,
    KoreanSet,
    KoreanSetInvalid,
    load_korean_set,
)

Line = dict[str, Any]

KEY = b"k" * 32
SEOUL = ZoneInfo("Asia/Seoul")
HALF_WIDTH = re.compile("[\uffa1-\uffdc]")
LONE_JAMO = re.compile("[\u3131-\u3163]")
UNFINDABLE_DATES = re.compile("저번 ?주|지난 ?주|어제|그저께|며칠 전")


@cache
def korean_set() -> KoreanSet:
    return load_korean_set()


@cache
def memories() -> dict[str, KoreanMemory]:
    return {memory.id: memory for memory in korean_set().memories}


def of_kind(kind: str) -> list[KoreanQuestion]:
    return [question for question in korean_set().questions if question.kind == kind]


def evidence(question: KoreanQuestion) -> list[KoreanMemory]:
    return [memories()[memory_id] for memory_id in question.evidence]


def texts(memory: KoreanMemory) -> list[str]:
    return [memory.summary, *memory.search_terms, *memory.quotes]


def is_composed(text: str) -> bool:
    return normalize("NFC", text) == text and not HALF_WIDTH.search(text)


def test_the_set_is_as_large_as_promised() -> None:
    assert len(korean_set().memories) >= MIN_MEMORIES == 400
    assert len(korean_set().questions) >= MIN_QUESTIONS == 300


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_enough_questions(kind: str) -> None:
    assert len(of_kind(kind)) >= MIN_PER_KIND == 12


def test_every_pair_has_distractors_enough() -> None:
    counts = Counter(memory.pair for memory in korean_set().memories)
    assert set(counts) == set(korean_set().pairs)
    assert min(counts.values()) >= 100


def test_every_answerable_question_has_evidence_of_its_own_pair() -> None:
    assert {q.kind for q in korean_set().answerable} == set(KINDS) - {"no_answer"}
    for question in korean_set().answerable:
        assert {memory.pair for memory in evidence(question)} == {question.pair}


def test_no_question_repeats_a_memory_or_another_question() -> None:
    asked = [normalize("NFKC", question.text) for question in korean_set().questions]
    kept = {normalize("NFKC", text) for m in korean_set().memories for text in texts(m)}
    assert len(asked) == len(set(asked))
    assert kept.isdisjoint(asked)


def test_a_question_of_several_memories_names_two_or_three() -> None:
    assert {len(question.evidence) for question in of_kind("multi")} <= {2, 3}


@pytest.mark.parametrize("kind", ["paraphrase", "allusion"])
def test_a_paraphrase_uses_no_search_term_of_its_evidence(kind: str) -> None:
    shared = [
        (question.id, term)
        for question in of_kind(kind)
        for memory in evidence(question)
        for term in memory.search_terms
        if len(term) > 1 and term in question.text
    ]
    assert shared == []


def test_a_short_question_has_fifteen_characters_at_most() -> None:
    assert [q.id for q in of_kind("short") if len(q.text) > 15] == []


def test_a_question_about_one_syllable_names_it_in_its_evidence() -> None:
    for question in of_kind("one_syllable"):
        names = {term for memory in evidence(question) for term in memory.search_terms}
        assert any(len(name) == 1 and name in question.text for name in names), question.id


def test_a_spacing_question_runs_words_together_or_strands_a_syllable() -> None:
    for question in of_kind("spacing"):
        lengths = [len(word) for word in question.text.split()]
        assert max(lengths) >= 6 or min(lengths) == 1, question.id


def test_only_the_jamo_kind_holds_decomposed_or_half_width_hangul() -> None:
    odd = {q.kind for q in korean_set().questions if not is_composed(q.text)}
    assert odd == {"jamo"}


def test_a_jamo_question_has_odd_jamo_in_itself_or_in_its_evidence() -> None:
    for question in of_kind("jamo"):
        decomposed_memory = not all(is_composed(m.summary) for m in evidence(question))
        odd_text = not is_composed(question.text) or LONE_JAMO.search(question.text)
        assert odd_text or decomposed_memory, question.id


def test_the_jamo_kind_has_every_form() -> None:
    asked = [question.text for question in of_kind("jamo")]
    assert sum(normalize("NFC", text) != text for text in asked) >= 3
    assert sum(bool(HALF_WIDTH.search(text)) for text in asked) >= 3
    assert sum(bool(LONE_JAMO.search(text)) for text in asked) >= 3
    assert sum(not is_composed(m.summary) for m in korean_set().memories) == 3


def test_a_decomposed_memory_is_decomposed_throughout() -> None:
    for memory in korean_set().memories:
        if not is_composed(memory.summary):
            assert all(normalize("NFD", text) == text for text in texts(memory))
        else:
            assert all(is_composed(text) for text in texts(memory))


def test_no_question_needs_a_date_that_only_the_moment_of_asking_gives() -> None:
    assert [q.id for q in korean_set().questions if UNFINDABLE_DATES.search(q.text)] == []


def test_memories_run_over_a_year_in_order_and_end_before_the_asking() -> None:
    for pair in korean_set().pairs:
        times = [m.happened_at for m in korean_set().memories if m.pair == pair]
        assert all(earlier < later for earlier, later in pairwise(times))
        assert 350 <= (times[-1] - times[0]).days <= 366
        assert times[-1].astimezone(SEOUL).date() < ASKED_ON


def test_no_memory_is_taken_for_a_repetition_of_another() -> None:
    for pair in korean_set().pairs:
        newest_first = [m.summary for m in korean_set().memories if m.pair == pair][::-1]
        assert repetition.repeats(newest_first) == list(range(len(newest_first)))


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("강남역 근처 살아", "나 어디 살아?"),
        ("동생은 고3이라 예민해", "고3 걔 요즘 어때"),
        ("탄을 가족으로 맞이했다", "탄이를 병원에 데려갔어"),
        ("우리 회사는 15층이야", "나 회사 몇층이야?"),
    ],
)
def test_a_short_question_is_not_drowned_by_forty_memories(told: str, asked: str) -> None:
    others = [m for m in korean_set().memories if m.pair == "taeo-rin"][:39]
    terms = [(*m.search_terms, *keywords.terms_of(m.summary)) for m in others]
    held = [keywords.index_terms(t, KEY) for t in (keywords.terms_of(told), *terms)]
    weight = {
        digest: counts_for * log(len(held) / (sum(digest in h for h in held) + 0.5))
        for digest, counts_for in keywords.query_digests(asked, KEY).items()
    }
    scores = [sum(w * h.get(digest, 0) for digest, w in weight.items()) for h in held]
    assert scores[0] > 0
    assert sum(score >= scores[0] for score in scores) <= 12


def test_search_terms_of_a_memory_differ() -> None:
    for memory in korean_set().memories:
        assert len(set(memory.search_terms)) == len(memory.search_terms), memory.id


def test_the_files_hold_hangul_rather_than_escapes() -> None:
    for path in FOLDER.glob("*.jsonl"):
        assert "\\u" not in path.read_text(encoding="utf-8")


def of_another_pair(rows: list[Line]) -> None:
    rows[0]["pair"] = "junho-yuna"


def unknown_evidence(rows: list[Line]) -> None:
    rows[0]["evidence"] = ["minji-999"]


def no_evidence(rows: list[Line]) -> None:
    rows[0]["evidence"] = []


def evidence_twice(rows: list[Line]) -> None:
    rows[0]["evidence"] *= 2


def evidence_of_the_unanswerable(rows: list[Line]) -> None:
    rows[-1]["evidence"] = ["eunbi-001"]


def repeated(rows: list[Line]) -> None:
    rows.append(rows[0])


def cut_short(rows: list[Line]) -> None:
    del rows[40:]


def without_no_answer(rows: list[Line]) -> None:
    del rows[-10:]


def unknown_kind(rows: list[Line]) -> None:
    rows[0]["kind"] = "riddle"


def too_important(rows: list[Line]) -> None:
    rows[0]["importance"] = 11


def without_zone(rows: list[Line]) -> None:
    rows[0]["happened_at"] = "2025-03-01T22:14:00"


def without_terms(rows: list[Line]) -> None:
    rows[0]["search_terms"] = []


@pytest.mark.parametrize(
    ("name", "spoil", "complaint"),
    [
        ("questions", of_another_pair, "particle-01: minji-014 is no memory of junho-yuna"),
        ("questions", unknown_evidence, "particle-01: minji-999 is no memory of minji-haru"),
        ("questions", no_evidence, "particle-01: only no_answer"),
        ("questions", evidence_twice, "particle-01: evidence named twice"),
        ("questions", evidence_of_the_unanswerable, "no-answer-15: only no_answer"),
        ("questions", repeated, "ids used more than once: particle-01"),
        ("questions", cut_short, "40 questions, at least 300 needed"),
        ("questions", without_no_answer, "5 questions of kind no_answer, at least 12 needed"),
        ("questions", unknown_kind, r"questions.jsonl:1: .*kind"),
        ("memories", repeated, "ids used more than once: minji-001"),
        ("memories", too_important, r"memories.jsonl:1: .*importance"),
        ("memories", without_zone, r"memories.jsonl:1: .*happened_at"),
        ("memories", without_terms, r"memories.jsonl:1: .*search_terms"),
    ],
)
def test_a_spoilt_set_is_refused_by_name(
    name: str, spoil: Callable[[list[Line]], None], complaint: str, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(FOLDER, tmp_path / "set"))
    path = folder / f"{name}.jsonl"
    rows: list[Line] = [json.loads(line) for line in path.read_bytes().splitlines()]
    spoil(rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(KoreanSetInvalid, match=complaint):
        load_korean_set(folder)


def test_a_line_that_is_not_json_is_refused_with_its_number(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(FOLDER, tmp_path / "set"))
    with (folder / "memories.jsonl").open("a", encoding="utf-8") as file:
        file.write("{\n")
    with pytest.raises(KoreanSetInvalid, match=r"memories\.jsonl:443: "):
        load_korean_set(folder)
