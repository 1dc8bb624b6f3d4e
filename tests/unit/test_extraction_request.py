"""What the extraction call tells and gives the model."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from gieok.extraction.form import CATEGORIES, REALITIES, SUBJECTS, schema
from gieok.extraction.request import repair_request, request
from gieok.relationship.rules import USERS_OWN
from gieok.types import Locale, Relationship, RelationshipState
from tests.support.prompt_samples import context_of, message

AT = datetime(2026, 11, 30, 16, 5, tzinfo=UTC)
WINDOW = [
    message('내일 발표야 \u2028 {"x": 1}', at=AT),
    message("힘내!", "assistant", "하늘", at=AT),
    message("주입된 글", "system"),
]


def test_what_was_said_before_the_window_is_shown_apart_and_without_ids() -> None:
    before = [message("콩이 데려왔어"), message("축하해!", "assistant", "하늘")]
    payload = json.loads(request(replace(context_of(WINDOW), earlier=tuple(before))).payload)
    assert payload["earlier"] == [
        {"speaker": "user", "text": "콩이 데려왔어"},
        {"speaker": "하늘", "text": "축하해!"},
    ]
    assert [m["text"] for m in payload["messages"]] == [m.text for m in WINDOW[:2]]


@pytest.mark.parametrize("locale", ["ko", "en", "ja"])
def test_every_pack_says_that_nothing_is_taken_from_what_came_before(locale: Locale) -> None:
    window = replace(context_of(WINDOW), locale=locale)
    assert "\n- earlier: " in request(window).instructions


def test_the_payload_is_the_window_and_what_was_known_before() -> None:
    state = RelationshipState(standing="친구", promises=("별 보기",))
    states = {"하늘": Relationship(state, held={"standing": datetime(2026, 11, 30, tzinfo=UTC)})}
    made = request(context_of(WINDOW, ["하늘", "바다"], states))
    payload = json.loads(made.payload)
    assert made.task == "EXTRACTION"
    assert payload == {
        "time_zone": "Asia/Seoul",
        "language": "ko",
        "characters": ["하늘", "바다"],
        "relationship_state": {
            "하늘": {
                "user_called": "",
                "character_called": "",
                "speech_level": "",
                "standing": "친구",
                "promises": ["별 보기"],
                "boundaries": [],
                "affection": 0,
                "held_by_user": ["standing"],
            },
            "바다": None,
        },
        "earlier": [],
        "messages": [
            {
                "id": str(WINDOW[0].id),
                "speaker": "user",
                "text": WINDOW[0].text,
                "at": "2026-12-01T01:05+09:00",
                "weekday": "화요일",
            },
            {
                "id": str(WINDOW[1].id),
                "speaker": "하늘",
                "text": "힘내!",
                "at": "2026-12-01T01:05+09:00",
                "weekday": "화요일",
            },
        ],
    }


def test_each_message_is_dated_in_its_own_zone_and_else_in_that_of_the_window() -> None:
    one_in_seoul = [message("오늘 발표야", at=AT), message("떨려", at=AT)]
    zones = {one_in_seoul[0].id: "Asia/Seoul"}
    made = request(context_of(one_in_seoul, time_zone="America/New_York", zones=zones))
    shown = [(m["at"], m["weekday"]) for m in json.loads(made.payload)["messages"]]
    assert shown == [("2026-12-01T01:05+09:00", "화요일"), ("2026-11-30T11:05-05:00", "월요일")]


def test_hangul_is_real_and_hostile_text_can_be_sent() -> None:
    made = request(context_of([message('비밀\ud800\x00\n"}]')]))
    assert "비밀" in made.payload
    made.payload.encode()
    assert json.loads(made.payload)["messages"][0]["text"] == '비밀?\x00\n"}]'


@pytest.mark.parametrize("locale", ["ko", "en", "ja"])
def test_the_instructions_name_every_field_of_the_answer_and_what_was_given(locale: Locale) -> None:
    made = request(context_of(WINDOW, locale=locale))
    for name in _names(made.schema):
        assert name in made.instructions
    given = ("messages", "characters", "relationship_state", "speaker", "at", "weekday")
    for name in (*given, "held_by_user", *CATEGORIES, *SUBJECTS, *REALITIES, *USERS_OWN):
        assert name in made.instructions
    for limit in ("600", "100", "1~10" if locale != "en" else "1 to 10", "\\u"):
        assert limit in made.instructions


def _names(part: object) -> set[str]:
    if isinstance(part, dict):
        properties = part.get("properties", {})
        return set(properties).union(*map(_names, part.values()), *map(_names, properties.values()))
    return set().union(*map(_names, part)) if isinstance(part, list) else set()


def test_the_schema_allows_the_cast_only_and_has_no_empty_choice() -> None:
    form = schema(["하늘", "바다", "하늘"])
    text = json.dumps(form, ensure_ascii=False)
    assert '"enum": ["user", "하늘", "바다"]' in text
    assert '"enum": ["하늘", "바다"]' in text
    assert '""' not in text


def test_every_object_of_the_schema_is_closed_and_complete() -> None:
    """OpenAI-compatible servers refuse a strict schema that is not."""
    for part in _objects(schema(["하늘"])):
        assert part["additionalProperties"] is False
        assert part["required"] == _keys(part["properties"])


def test_the_schema_uses_only_what_every_provider_understands() -> None:
    """No references, titles or descriptions, which msgspec adds for people."""
    understood = {"type", "properties", "required", "additionalProperties", "items", "enum"}
    understood |= {"anyOf", "minimum", "maximum"}
    assert set(_keywords(schema(["하늘"]))) <= understood


def _keywords(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            yield key
            # The keys of `properties` are names of ours.
            inner = list(value.values()) if key == "properties" else value
            yield from _keywords(inner)
    elif isinstance(part, list):
        for one in part:
            yield from _keywords(one)


def _keys(part: object) -> list[str]:
    return list(part) if isinstance(part, dict) else []


def _objects(part: object) -> list[dict[str, object]]:
    if isinstance(part, list):
        return [o for item in part for o in _objects(item)]
    if not isinstance(part, dict):
        return []
    here = [part] if part.get("type") == "object" else []
    return here + [o for value in part.values() for o in _objects(value)]


def test_a_repair_shows_the_failed_answer_and_what_is_wrong_with_it() -> None:
    original = request(context_of(WINDOW, locale="en"))
    repair = repair_request(original, '{"summary": "가" ', "summary: missing")
    payload, before = json.loads(repair.payload), json.loads(original.payload)
    assert payload.pop("repair") == {
        "previous_answer": '{"summary": "가" ',
        "problem": "summary: missing",
    }
    assert payload == before
    assert repair.schema == original.schema
    assert repair.instructions.startswith(original.instructions)
    assert "# Repair" in repair.instructions


def test_a_repair_does_not_send_back_an_endless_answer() -> None:
    original = request(context_of(WINDOW))
    assert len(repair_request(original, "가" * 1_000_000, "").payload) < 30_000
