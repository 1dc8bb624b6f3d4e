"""The demonstration is fair: its evidence was said, in one place, and no question gives it away."""

import json
from collections import Counter
from pathlib import Path

import pytest

from infra.local.demo.conversation import Conversation, comparable, holds, korean
from infra.local.demo.locomo import first_conversation

KOREAN = korean()
PIECES = [piece for question in KOREAN.questions for piece in question.evidence]


def test_the_korean_conversation_is_long_enough() -> None:
    assert len(KOREAN.sessions) == 6
    assert len(KOREAN.messages) >= 60
    assert len(KOREAN.questions) >= 25
    assert min(len(session.messages) for session in KOREAN.sessions) >= 10


def test_nothing_is_said_or_asked_twice() -> None:
    asked = [q.text for q in KOREAN.questions] + [u.text for u in KOREAN.unanswerable]
    counts = Counter(comparable(text) for text in (*KOREAN.messages, *asked))
    assert [text for text, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("piece", PIECES)
def test_evidence_occurs_in_exactly_one_message(piece: str) -> None:
    assert sum(holds(message, piece) for message in KOREAN.messages) == 1
    assert len(comparable(piece)) >= 4, "short evidence would be found by chance"


def test_every_question_has_evidence_and_no_question_gives_any_away() -> None:
    asked = [q.text for q in KOREAN.questions] + [u.text for u in KOREAN.unanswerable]
    assert all(question.evidence for question in KOREAN.questions)
    assert [(q, piece) for q in asked for piece in PIECES if holds(q, piece)] == []


def test_most_questions_share_no_word_with_their_evidence() -> None:
    """Asking in the very words of the evidence would test string search, not memory."""
    same = [
        question.text
        for question in KOREAN.questions
        if any(set(str(piece).split()) & set(question.text.split()) for piece in question.evidence)
    ]
    assert len(same) <= len(KOREAN.questions) // 10


def test_what_cannot_be_answered_was_never_said() -> None:
    assert KOREAN.unanswerable
    said = [(m, a) for u in KOREAN.unanswerable for a in u.absent for m in KOREAN.messages]
    assert [(message, words) for message, words in said if holds(message, words)] == []


def test_evidence_is_found_across_spelling_of_spaces_case_and_unicode_form() -> None:
    assert holds("오늘은 ＰＴ쌤이 무서움", "pt 쌤이")
    assert holds("\u1100\u1161\u11bc릉 가려구", "강릉가려구")
    assert holds("I moved here. It was hard.", ("never said", "It was hard."))
    assert not holds("제주도", "강릉")


def test_locomo_keeps_the_first_speakers_turns_and_what_they_answer(tmp_path: Path) -> None:
    found = first_conversation(_locomo(tmp_path))
    assert [len(session.messages) for session in found.sessions] == [2, 1, 1, 1, 1]
    assert found.messages[1] == "Oh no. Here is my new dog Rex, look! (photo: a dog on a sofa)"
    assert found.sessions[0].when == "1 pm on 8 May, 2023"
    assert [q.text for q in found.questions] == ["Which dog?", "Both?"]


def test_a_locomo_turn_is_known_by_its_longer_sentences(tmp_path: Path) -> None:
    dog, both = first_conversation(_locomo(tmp_path)).questions
    assert dog.evidence == (("Here is my new dog Rex, look!",),)
    assert both.evidence == (("Here is my new dog Rex, look!",), ("Hi Bo!",))


def test_locomo_asks_nothing_of_other_speakers_other_sessions_or_the_fifth_category(
    tmp_path: Path,
) -> None:
    conversation: Conversation = first_conversation(_locomo(tmp_path))
    asked = {question.text for question in conversation.questions}
    assert not asked & {"By Bo?", "Half by Bo?", "Later?", "Never said?", "No evidence?"}


def _locomo(folder: Path) -> Path:
    """A sample in LoCoMo's form, with its known malformed evidence."""
    first = [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "Hi Bo!"},
        {"speaker": "Bo", "dia_id": "D1:2", "text": "My cat is lost."},
        {
            "speaker": "Ann",
            "dia_id": "D1:3",
            "text": "Oh no. Here is my new dog Rex, look!",
            "blip_caption": "a dog on a sofa",
        },
    ]
    talk: dict[str, object] = {"speaker_a": "Ann", "speaker_b": "Bo", "session_1": first}
    for number in range(1, 7):
        talk[f"session_{number}_date_time"] = f"{number} pm on 8 May, 2023"
        if number > 1:
            turn = {"speaker": "Ann", "dia_id": f"D{number}:1", "text": f"Day {number}."}
            talk[f"session_{number}"] = [turn]
    asked = [
        ("Which dog?", 4, ["D1:3"]),
        ("Both?", 1, ["D:1:3; D1:1"]),
        ("By Bo?", 4, ["D1:2"]),
        ("Half by Bo?", 1, ["D1:2", "D1:3"]),
        ("Later?", 2, ["D6:1"]),
        ("Never said?", 5, ["D1:3"]),
        ("No evidence?", 3, []),
    ]
    qa = [{"question": q, "category": c, "evidence": e, "answer": 2022} for q, c, e in asked]
    path = folder / "locomo10.json"
    path.write_text(json.dumps([{"conversation": talk, "qa": qa}]), encoding="utf-8")
    return path
