"""The token estimate on texts whose true count is known (XLM-R SentencePiece, measured once)."""

import pytest

from gieok.prompt import tokens


@pytest.mark.parametrize(
    ("text", "true_count"),
    [
        ("나 오늘 회사 다녀와서 너무 힘들었어 ㅠㅠ", 11),
        ("ㅋㅋㅋㅋㅋㅋㅋㅋ", 3),
        ("😀😃😄", 2),
        ("123456789012", 4),
        ("아까 힘들었다고 한 거 기억해?", 9),
        ("日本語を勉強しています", 4),
        ('{"a": [1,2,3], "b": null}', 15),
        ("สวัสดีครับผมชื่อ", 6),
        ("Привет, как дела сегодня?", 6),
        ("뷁쉙뚫뀕", 4),
    ],
)
def test_the_estimate_errs_high_but_not_wildly(text: str, true_count: int) -> None:
    assert true_count <= tokens.estimate(text) <= 5 * true_count


def test_an_estimate_is_made_of_the_documented_weights() -> None:
    assert tokens.estimate("가나다라마바사아자차") == 9
    assert tokens.estimate("abcde fghij") == 4
    assert tokens.estimate("12,3\n") == 5
    assert tokens.estimate("😀") == 3
    assert tokens.estimate("가") == 1
    assert tokens.estimate("") == 0
