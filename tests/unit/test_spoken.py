"""What of a model's text reaches the user, piece by piece."""

import pytest

from gieok.providers.spoken import Spoken

FENCE = "memories 0123456789012345"
ECHO = f"<{FENCE}>\n- (3일 전) 콩이를 입양했다.\n</{FENCE}>"


def said(*pieces: str) -> str:
    spoken = Spoken()
    return "".join([*(spoken.feed(piece) for piece in pieces), spoken.rest()])


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("안녕! 반가워.", "안녕! 반가워."),
        ("1 < 2이고 <3 >_< <b>굵게</b> a<b", "1 < 2이고 <3 >_< <b>굵게</b> a<b"),
        ("<think>음… 뭐라고 하지</think>안녕!", "안녕!"),
        ("<THINK>음</THINK>\n\n안녕!", "안녕!"),
        ("그래. <thinking>다음은</thinking>좋아.", "그래. 좋아."),
        ("</think>안녕!", "안녕!"),
        ("안녕!</think>", "안녕!"),
        ("<think>끝나지 않는 생각", ""),
        ("<think></think>", ""),
        ("<|im_start|>assistant\n안녕!<|im_end|>\n<|im_start|>user\n응", "안녕!"),
        ("<|start_header_id|>assistant<|end_header_id|>\n\n안녕!<|eot_id|>", "안녕!"),
        (
            "<|im_start|>안녕, 나는 하루라고 해. 만나서 반가워!",
            "안녕, 나는 하루라고 해. 만나서 반가워!",
        ),
        ("안녕!<|endoftext|>Human: 다음", "안녕!"),
        ("안녕!</s>", "안녕!"),
        (f"{ECHO}\n콩이 기억하지!", "콩이 기억하지!"),
        (f"기억하지! {ECHO}", "기억하지! "),
        (f"기억하지!</{FENCE}>", "기억하지!"),
        ("\n\n  안녕!\n", "안녕!\n"),
        (" \u200b\u3000\u2800\n", ""),
        ("", ""),
        ("끝이 <", "끝이 <"),
        ("끝이 <thin", "끝이 <thin"),
    ],
)
def test_what_is_no_speech_is_left_out_however_it_comes(answer: str, expected: str) -> None:
    assert said(answer) == expected
    assert said(*answer) == expected, "letter by letter"


def test_speech_does_not_wait_for_what_comes_behind_it() -> None:
    spoken = Spoken()
    assert spoken.feed("안녕") == "안녕"
    assert spoken.feed(" 반가워 <") == " 반가워 "
    assert spoken.feed("3") == "<3"
    assert spoken.feed("<memories 01") == ""
    assert spoken.feed("x") == "<memories 01x"


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (("좋아 \ud83d", "\ude00 끝"), "좋아 😀 끝"),
        (("좋아 \ud83d", " 끝"), "좋아 \ufffd 끝"),
        (("좋아 \ud83d",), "좋아 \ufffd"),
        (("\ude00 끝",), "\ufffd 끝"),
        (("\ud83d", "", "\ude00"), "😀"),
    ],
)
def test_halves_of_a_character_come_together(pieces: tuple[str, ...], expected: str) -> None:
    assert said(*pieces) == expected
