"""What must hold of extraction by rules, whatever is said."""

import json
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.extraction.answer import missing_details, read
from gieok.extraction.request import request
from gieok.providers.offline.extraction import extract
from gieok.providers.offline.reply import reply
from gieok.providers.offline.sentences import sentences
from gieok.types import Message
from tests.support.prompt_samples import context_of

CAST = ("하루", "유나")
WORDS = (
    *("안녕", "하루야", "유나가", "부산에", "3월 1일", "내일", "약속해", "힘들었어", "고양이"),
    *(
        "나는",
        "나는 커피를 좋아해",
        "내 이름은 민수야",
        "고마워",
        "꼭 갈게",
        "ㅋㅋ",
        "응",
        "뭐야?",
        "*웃는다*",
        "좋아!",
        "하지 마.",
    ),
)
TALK = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
TEXT = st.one_of(TALK, st.text(st.characters(codec="utf-8"), min_size=1, max_size=80))
SPEAKERS = st.sampled_from(["user", "user", *CAST])
START = datetime(2026, 11, 30, tzinfo=UTC)


@st.composite
def windows(draw: st.DrawFn) -> list[Message]:
    said = draw(st.lists(st.tuples(SPEAKERS, TEXT), min_size=1, max_size=20))
    return [
        Message(
            uuid4(),
            "user" if who == "user" else "assistant",
            "" if who == "user" else who,
            text,
            START + timedelta(minutes=i),
        )
        for i, (who, text) in enumerate(said)
    ]


@settings(deadline=None, max_examples=150)
@given(windows(), st.sampled_from([CAST, CAST[:1]]))
def test_an_extraction_is_always_one_the_engine_takes(
    messages: list[Message], cast: tuple[str, ...]
) -> None:
    answer = extract(request(context_of(messages, cast)).payload, "offline")

    kept = read(answer, context_of(messages, cast))

    for name in missing_details(kept, cast):
        assert None not in {d.character for d in kept.details}, f"{name} was told that too"
    assert kept.worth_keeping == bool(kept.details)
    assert kept.worth_keeping == bool(kept.summary)
    assert not any(kept.dropped.values()), "whatever the rules say has its words"


@settings(deadline=None, max_examples=150)
@given(windows())
def test_every_detail_is_what_the_user_typed(messages: list[Message]) -> None:
    answer = json.loads(extract(request(context_of(messages, CAST)).payload, "offline"))

    typed = [m.text for m in messages if m.role == "user"]
    for detail in answer["key_details"]:
        assert any(detail["text"] in text for text in typed)
    for fact in answer["facts"]:
        assert any(fact["text"] == fact["quote"] and fact["quote"] in text for text in typed)


@settings(deadline=None)
@given(TEXT)
def test_sentences_lose_nothing_but_white_space_and_actions(text: str) -> None:
    kept = sentences(text)

    assert all(sentence in text for sentence in kept)
    if "*" not in text:
        assert "".join("".join(kept).split()) == "".join(text.split())


@settings(deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=6), st.sampled_from(["ko", "en", "ja"]))
def test_there_is_always_something_to_say(turns: list[str], locale: str) -> None:
    said = reply("", [("user", text) for text in turns], locale)  # type: ignore[arg-type]

    assert said.strip()
    assert len(said) < 300
