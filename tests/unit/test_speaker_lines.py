"""Who said what in one text that a model wrote for several."""

import pytest

from gieok.prompt.speaker_lines import OwnLabel, spoken_messages, spoken_parts
from tests.support.prompt_samples import message

CAST = ("하늘", "바다")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("바다: 안녕!\n하늘: 왔어?", (("바다", "안녕!"), ("하늘", "왔어?"))),
        ("바다： 안녕!", (("바다", "안녕!"),)),
        ("**바다**: 안녕!\n**하늘:** 왔어?", (("바다", "안녕!"), ("하늘", "왔어?"))),
        (
            "바다:\n안녕!\n\n오늘 덥다.\n\n하늘:왔어?",
            (("바다", "안녕!\n\n오늘 덥다."), ("하늘", "왔어?")),
        ),
        ("바다: 안녕!\n바다: 덥다.", (("바다", "안녕!\n덥다."),)),
        ("*둘이 웃는다*\n바다: 안녕!", (("바다", "*둘이 웃는다*\n안녕!"),)),
        ("바다: *웃는다* 안녕!", (("바다", "*웃는다* 안녕!"),)),
        ("바다: 하늘: 그게 뭐야?", (("바다", "하늘: 그게 뭐야?"),)),
        ("바다: 별: 안 보여\n별: 나 여기!", (("바다", "별: 안 보여\n별: 나 여기!"),)),
        ("바다는: 아니고", (("하늘", "바다는: 아니고"),)),
        ("그래서 바다: 좋아", (("하늘", "그래서 바다: 좋아"),)),
        ("안녕!", (("하늘", "안녕!"),)),
        ("바다:", (("하늘", "바다:"),)),
        ("", (("하늘", ""),)),
    ],
)
def test_an_answer_is_cut_at_the_names_that_begin_its_lines(
    text: str, parts: tuple[tuple[str, str], ...]
) -> None:
    assert spoken_parts(text, CAST, "하늘") == parts


def test_a_name_that_begins_like_another_is_not_taken_for_it() -> None:
    text = "Ann Lee: hi\nAnn: hello"
    assert spoken_parts(text, ("Ann", "Ann Lee"), "") == (("Ann Lee", "hi"), ("Ann", "hello"))


def test_a_name_is_text_and_no_pattern() -> None:
    assert spoken_parts("C.C.: 왔네", ("C.C.", "(별)"), "") == (("C.C.", "왔네"),)
    assert spoken_parts("CxCx: 왔네", ("C.C.", ""), "별") == (("별", "CxCx: 왔네"),)


def test_an_answer_becomes_a_message_for_each_who_speaks_under_its_own_id() -> None:
    answer = message("바다: 안녕!\n하늘: 왔어?", "assistant", "하늘")
    parts = spoken_messages(answer, CAST)
    assert [(p.speaker, p.text) for p in parts] == [("바다", "안녕!"), ("하늘", "왔어?")]
    assert {(p.id, p.created_at, p.role) for p in parts} == {
        (answer.id, answer.created_at, "assistant")
    }


def test_what_the_user_writes_is_never_cut() -> None:
    said = message("바다: 안녕!\n하늘: 왔어?")
    assert spoken_messages(said, CAST) == (said,)


def streamed(*pieces: str, name: str = "하늘") -> list[str]:
    label = OwnLabel(name)
    told = [label.feed(piece) for piece in pieces]
    return [text for text in (*told, label.rest()) if text]


@pytest.mark.parametrize(
    ("pieces", "told"),
    [
        (["하늘: 안녕!", " 왔어?"], ["안녕!", " 왔어?"]),
        (["하", "늘", ":", " ", "안녕!", " 왔어?"], ["안녕!", " 왔어?"]),
        (["**하늘", ":** ", "안녕!"], ["안녕!"]),
        (["\n하늘:", "\n안녕!"], ["안녕!"]),
        (["하늘", "이 파랗다."], ["하늘이 파랗다."]),
        (["하늘"], ["하늘"]),
        (["안녕!", " 하늘: 이라니"], ["안녕!", " 하늘: 이라니"]),
        (["하늘:"], []),
        (["바다: 안녕!"], ["바다: 안녕!"]),
        ([":", ")"], [":)"]),
        ([], []),
    ],
)
def test_the_own_name_before_an_answer_is_left_out_while_it_streams(
    pieces: list[str], told: list[str]
) -> None:
    assert streamed(*pieces) == told


def test_nothing_is_held_back_where_no_name_is_to_be_left_out() -> None:
    assert streamed("하늘: ", "안녕!", name="") == ["하늘: ", "안녕!"]
