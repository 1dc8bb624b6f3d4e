"""Summaries that a script composes: as long as asked, dated, and of nothing but what was said."""

import json

import pytest

from gieok.providers.offline.extraction import extract
from infra.local.servers.retelling import retold

SAID = (
    "이름은 서윤인데 친한 애들은 다 써니라고 불러",
    "합정에 있는 작은 출판사 다녀, 그림책 편집하는데 이제 3년차",
    "요즘 고래와 등대라는 책 만드는 중인데 마감이 9월 12일이야",
    "새우 알러지 있어서 먹으면 목이 부어",
    "망원시장 뒤에 할머니 혼자 하시는 집이 찐이야",
)


def window(*said: str, language: str = "ko") -> str:
    shown = [
        {
            "id": str(i),
            "speaker": speaker,
            "text": text,
            "at": "2026-08-31T21:10+09:00",
            "weekday": "월요일",
        }
        for i, text in enumerate(said)
        for speaker, text in (("user", text), ("모찌", "그랬구나."))
    ]
    return json.dumps({"language": language, "characters": ["모찌"], "messages": shown})


def summary(payload: str) -> str:
    return str(json.loads(retold(payload, extract(payload, "m")))["summary"])


def test_a_summary_tells_every_message_of_the_user_with_its_day() -> None:
    told = summary(window(*SAID))
    assert 250 <= len(told) <= 300
    assert told.count("2026-08-31 월요일") == len(SAID)
    assert "그랬구나" not in told
    assert all(text in told for text in SAID)


@pytest.mark.parametrize(("language", "most"), [("ko", 300), ("ja", 300), ("en", 600)])
def test_long_messages_share_the_length_that_is_asked_for(language: str, most: int) -> None:
    told = summary(
        window("나는 짧아", *(f"나는 {text}! " * 20 for text in SAID), language=language)
    )
    assert most - 10 <= len(told) <= most
    assert "나는 짧아" in told
    assert told.count("…") == len(SAID)


def test_a_window_without_anything_to_keep_keeps_nothing() -> None:
    payload = window("ㅋㅋ")
    answer = extract(payload, "m")
    assert retold(payload, answer) == answer
