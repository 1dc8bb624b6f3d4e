"""Sets of windows are found by their form, wherever they lie, and their questions meet windows."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.eval import window_sets
from tests.eval.extracted import extracted, turns
from tests.eval.sets import locomo_file

TALK = {
    "sample": "talk-x",
    "user": "지은",
    "character": "하늘",
    "windows": [
        {
            "n": n,
            "messages": [
                {
                    "id": f"{n}:1",
                    "speaker": "user",
                    "text": said,
                    "at": f"2026-06-0{n + 1}T21:00:00",
                },
                {
                    "id": f"{n}:2",
                    "speaker": "하늘",
                    "text": "응!",
                    "at": f"2026-06-0{n + 1}T21:01:00",
                },
                {
                    "id": f"{n}:3",
                    "speaker": "user",
                    "text": "그치",
                    "at": f"2026-06-0{n + 1}T21:02:00",
                },
            ],
        }
        for n, said in enumerate(
            ["나 위스키 선물 받았어", "우리 고양이 이름은 두부야", "ㅋㅋㅋ 뭐해"]
        )
    ],
}


def _answer(summary: str, quote: str) -> dict[str, Any]:
    detail = {"kind": "quote", "who": "user", "character": "하늘", "text": quote, "context": ""}
    return {
        "worth_keeping": True,
        "summary": summary,
        "importance": 5,
        "key_details": [detail],
        "search_terms": quote.split(),
        "facts": [],
        "relationship_states": [],
    }


ANSWERS = {
    "answers": {
        "0": _answer("지은이 위스키를 선물받았다.", "나 위스키 선물 받았어"),
        "1": _answer("고양이 이름은 두부다.", "우리 고양이 이름은 두부야"),
        "2": {"worth_keeping": False},
    }
}
EXPANSIONS = {"0": {"asked_as": ["내가 받은 독한 거 뭐였지"], "terms": ["술"]}}
QUESTIONS = [
    {"question": "내가 뭐 받았지?", "evidence": ["0:1", "0:3"], "stale": [], "kind": "direct"},
    {"question": "내 차 뭐야?", "evidence": [], "stale": [], "kind": "trap", "trap": True},
]


def _lay(folder: Path, name: str, **files: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for what, content in files.items():
        (folder / f"{what}-{name}.json").write_text(json.dumps(content, ensure_ascii=False))


def _lay_locomo(path: Path, *asked: dict[str, Any]) -> Path:
    turn = {"speaker": "a", "dia_id": "", "text": "t"}
    ids = ("D1:1", "D1:2", "D2:1")
    sample = {
        "sample_id": "talk-x",
        "conversation": {
            f"session_{s}": [turn | {"dia_id": i} for i in ids if i.startswith(f"D{s}")]
            for s in (1, 2)
        },
        "qa": list(asked),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([sample]))
    return path


def test_a_set_with_its_own_questions_is_found_in_any_folder_under_any_name(tmp_path: Path) -> None:
    _lay(tmp_path / "kept-aside" / "of-b", "b", windows=TALK, answers=ANSWERS, questions=QUESTIONS)

    (found,) = window_sets.own_questions(tmp_path)

    assert (found.name, found.character, len(found.windows)) == ("talk-x", "하늘", 3)
    assert found.expansions == {}
    assert found.rewrites == {}
    assert window_sets.of_locomo(tmp_path, tmp_path / "no such file") == []


def test_windows_without_answers_are_no_set(tmp_path: Path) -> None:
    _lay(tmp_path, "b", windows=TALK, questions=QUESTIONS)

    assert window_sets.own_questions(tmp_path) == []


def test_evidence_names_each_window_once(tmp_path: Path) -> None:
    _lay(tmp_path, "b", windows=TALK, answers=ANSWERS, questions=QUESTIONS, expand=EXPANSIONS)

    (found,) = window_sets.own_questions(tmp_path)

    assert found.windows_of(("0:1", "0:3", "1:2")) == ("talk-x:0", "talk-x:1")
    assert found.expansions[0].terms == ("술",)
    with pytest.raises(KeyError):
        found.windows_of(("9:9",))


def test_windows_of_locomo_are_asked_what_lies_wholly_in_them(tmp_path: Path) -> None:
    messages = [
        {"id": i, "speaker": "user", "text": "t", "at": "2023-05-08T13:56:00"}
        for i in ("D1:1", "D1:2")
    ]
    windows = {**TALK, "windows": [{"n": 0, "messages": messages}]}
    _lay(tmp_path / "more", "7", windows=windows, answers=ANSWERS)
    locomo = _lay_locomo(
        tmp_path / "locomo10.json",
        {"question": "inside?", "category": 4, "evidence": ["D1:1", "D1:2"]},
        {"question": "half outside?", "category": 1, "evidence": ["D1:1; D2:1"]},
        {"question": "never said?", "category": 5, "evidence": ["D1:1"]},
    )

    (found,) = window_sets.of_locomo(tmp_path, locomo)

    assert [q.question for q in found.questions] == ["inside?"]


def test_a_folder_with_its_own_locomo_is_asked_by_that(tmp_path: Path) -> None:
    own = _lay_locomo(tmp_path / "locomo" / "locomo10.json")

    assert locomo_file(tmp_path) == own
    assert locomo_file(tmp_path / "elsewhere") != own


def test_answers_are_read_as_the_product_reads_them(tmp_path: Path) -> None:
    invented = _answer("지은이 위스키를 선물받았다.", "나 위스키 선물 받았어")
    invented["key_details"].append(invented["key_details"][0] | {"text": "나 아무 데도 안 가"})
    answers = {"answers": {**ANSWERS["answers"], "0": invented}}
    _lay(tmp_path, "b", windows=TALK, answers=answers, questions=QUESTIONS)

    (found,) = window_sets.own_questions(tmp_path)
    left = extracted(found)

    assert list(left.windows) == ["talk-x:0", "talk-x:1"]
    assert [d.text for d in left.windows["talk-x:0"].details] == ["나 위스키 선물 받았어"]


def test_an_answer_that_cannot_be_read_costs_its_own_window(tmp_path: Path) -> None:
    answers = {"answers": {**ANSWERS["answers"], "0": {"worth_keeping": True}}}
    _lay(tmp_path, "b", windows=TALK, answers=answers, questions=QUESTIONS)

    (found,) = window_sets.own_questions(tmp_path)

    assert list(extracted(found).windows) == ["talk-x:1"]


def test_a_window_is_also_the_history_of_a_prompt(tmp_path: Path) -> None:
    _lay(tmp_path, "b", windows=TALK, answers=ANSWERS, questions=QUESTIONS)

    (found,) = window_sets.own_questions(tmp_path)
    made = turns(found.windows[0])

    assert [(t.user.text, t.reply.text if t.reply else None) for t in made] == [
        ("나 위스키 선물 받았어", "응!"),
        ("그치", None),
    ]
    assert made[0].user.created_at.isoformat() == "2026-06-01T21:00:00+09:00"
