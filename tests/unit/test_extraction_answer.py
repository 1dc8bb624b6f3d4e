"""Reading a model's answer to the extraction call."""

import json

import pytest

from gieok.errors import ModelMalformed
from gieok.extraction.answer import missing_details, read, shortcomings
from gieok.extraction.extraction import Extraction
from gieok.types import Fact, KeyDetail, Message, Relationship, RelationshipState
from tests.support.prompt_samples import answer, change, context_of, detail, fact, message, state

SECRET = "나만의비밀"
WINDOW = (
    message("나 어제 싱글몰트 위스키 선물 받았어!!"),
    message("우와, 축하해.", "assistant", "하늘"),
    message("고마워 하늘아 😭 IPHONE도 샀어"),
)


def reading(text: str, *cast: str, window: tuple[Message, ...] = WINDOW) -> Extraction:
    return read(text, context_of(window, cast or ("하늘",)))


def test_a_good_answer_is_read_whole() -> None:
    assert reading(answer()) == Extraction(
        worth_keeping=True,
        summary="지은이 싱글몰트 위스키를 선물받았다.",
        importance=5,
        details=(KeyDetail("quote", "user", "위스키 선물 받았어", "", "하늘"),),
        search_terms=("위스키", "선물"),
        relationships={},
        facts=(),
        dropped={"details": 0, "facts": 0, "changes": 0},
    )


def test_a_window_not_worth_keeping_needs_nothing_else() -> None:
    assert reading('{"worth_keeping": false}') == Extraction(worth_keeping=False)
    assert reading(answer(worth_keeping=False)) == Extraction(worth_keeping=False)


@pytest.mark.parametrize("around", ["```json\n{}\n```", "정리했습니다.\n{}\n끝 {{", "\ufeff{}"])
def test_what_stands_around_the_object_is_passed_over(around: str) -> None:
    text = around.replace("{{", "!").replace("{}", answer(), 1)
    assert reading(text).worth_keeping


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not a JSON object"),
        (SECRET, "not a JSON object"),
        (f'["{SECRET}"]', "not a JSON object"),
        (answer()[:-5], "not a JSON object"),
        ('{"a":' * 20_000, "not a JSON object"),
        ('{"importance": ' + "1" * 5_000 + "}", "not a JSON object"),
        ("가" * 1_000_000, "longer than 100000 characters"),
        ("{}", "not a JSON object"),
        ('{"a":' + "[" * 3_000, "not a JSON object"),
        (answer().replace("[", "[" * 3_000), "not a JSON object"),
        (answer(worth_keeping=SECRET), "worth_keeping: not as the schema says"),
        (answer(summary=None), "summary: missing"),
        (answer(summary=[SECRET]), "summary: not as the schema says"),
        (answer(summary=" \n\u200b"), "summary: not 1 to 2000 characters"),
        (answer(summary="가" * 2_001), "summary: not 1 to 2000 characters"),
        (answer(importance="5"), "importance: not as the schema says"),
        (answer(importance=5.5), "importance: not as the schema says"),
        (answer(importance=float("nan")), "importance: not as the schema says"),
        (answer(importance=5).replace(" 5,", ' "\\ud800",'), "importance: not as the schema says"),
        (answer(importance=0), "importance: not 1 to 10"),
        (answer(importance=11), "importance: not 1 to 10"),
        (answer(key_details=[detail("", kind=SECRET)]), "key_details: not as the schema says"),
        (answer(key_details=[{"text": SECRET}]), "key_details: not as the schema says"),
        (answer(facts=None), "facts: missing"),
        (answer(facts=[fact(confidence="sure")]), "facts: not as the schema says"),
        (answer(facts=[fact(subject=SECRET)]), "facts: not as the schema says"),
        (
            answer(relationship_states=[state(changes=SECRET)]),
            "relationship_states: not as the schema says",
        ),
        (answer(search_terms=SECRET), "search_terms: not as the schema says"),
        (
            answer(relationship_states={"하늘": SECRET}),
            "relationship_states: not as the schema says",
        ),
    ],
)
def test_a_malformed_answer_is_refused_by_field_and_never_repeated(text: str, reason: str) -> None:
    with pytest.raises(ModelMalformed) as caught:
        reading(text)
    assert caught.value.reason == reason
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize(
    "said",
    [
        "싱글몰트위스키 선물 받았어",
        "“위스키, 선물 받았어.”",
        "iphone도 샀어",
        "ｉｐｈｏｎｅ도",
        "고마워 하늘아😭",
    ],
)
def test_a_quote_is_kept_whatever_its_spaces_points_case_and_width(said: str) -> None:
    assert [d.text for d in reading(answer(key_details=[detail(said)])).details] == [said]


@pytest.mark.parametrize("said", ["와인 선물 받았어", "!!", "", "위스키 선물 받았어 우와"])
def test_a_quote_nobody_said_is_dropped(said: str) -> None:
    assert reading(answer(key_details=[detail(said)])).details == ()


def test_a_characters_words_are_not_put_into_the_users_mouth() -> None:
    kept = reading(answer(key_details=[detail("축하해"), detail("축하해", who="하늘")])).details
    assert [d.who for d in kept] == ["하늘"]


def test_details_of_people_who_are_not_there_are_dropped() -> None:
    stranger = detail("케이크를 건넸다", kind="action", who="바다")
    guest = detail("위스키를 받았다", kind="action", character="바다")
    (kept,) = reading(answer(key_details=[stranger, guest])).details
    assert (kept.text, kept.character) == ("위스키를 받았다", None)


def test_details_are_counted_once_and_up_to_a_dozen() -> None:
    many = [detail(f"위스키를 {i}병 받았다", kind="action") for i in range(20)]
    assert len(reading(answer(key_details=[many[0], *many])).details) == 12


def test_a_long_quote_is_cut_after_it_was_found() -> None:
    long = "가나다라" * 200
    window = (*WINDOW, message(long))
    kept = reading(answer(key_details=[detail(long)]), window=window).details
    assert [len(d.text) for d in kept] == [300]


def test_search_terms_are_bare_distinct_and_bounded() -> None:
    terms = [" '위스키' ", "#여행", "위스키", "ＫＴＸ", "ktx", "선물.", "", "!!", "가" * 41, "C#"]
    assert reading(answer(search_terms=terms)).search_terms == (
        "위스키",
        "여행",
        "ＫＴＸ",
        "선물",
        "C#",
    )
    many = [f"말{i}" for i in range(100)]
    assert reading(answer(search_terms=many)).search_terms == tuple(many[:40])


def test_text_is_stored_on_one_line_without_hidden_characters() -> None:
    summary = "위스키를 받았다.\n\u202e선물\x00 받았다."
    assert reading(answer(summary=summary)).summary == "위스키를 받았다. 선물 받았다."


def test_relationship_states_are_bounded_by_what_was_before() -> None:
    before = {"하늘": Relationship(RelationshipState(standing="친구", affection=30))}
    text = answer(relationship_states=[state(affection=100, speech_level=None, standing="")])
    kept = read(text, context_of(WINDOW, relationships=before)).relationships["하늘"].state
    assert (kept.affection, kept.standing, kept.speech_level) == (40, "친구", "")
    assert kept.user_called == "지은"


def test_unchanged_states_and_those_of_strangers_are_left_out() -> None:
    first = reading(answer(relationship_states=[state(affection=5)])).relationships
    again = read(
        answer(relationship_states=[state(affection=5)]), context_of(WINDOW, relationships=first)
    )
    strangers = reading(answer(relationship_states=[state(character="바다")]))
    assert set(first) == {"하늘"}
    assert again.relationships == {}
    assert strangers.relationships == {}


def test_an_unknown_speech_level_is_not_a_reason_to_fail() -> None:
    kept = reading(answer(relationship_states=[state(speech_level="casual")])).relationships
    assert kept["하늘"].state.speech_level == ""


def test_a_change_without_words_that_were_said_is_not_made_and_counted() -> None:
    changes = [
        change("user_called", "지은아 축하해", "하늘"),
        change("standing", "우리 사귀자"),
        change("promises", "축하해", "하늘"),
        change("boundaries", "축하해", "하늘"),
        change("affection", "축하해"),
        change("mood"),
    ]
    kept = reading(answer(relationship_states=[state(boundaries=["술 얘기"], changes=changes)]))
    assert kept.relationships["하늘"].state == RelationshipState(promises=("같이 별 보기",))
    assert [q.text for q in kept.relationships["하늘"].quotes] == ["축하해"]
    assert kept.dropped["changes"] == 6  # names, speech level, standing, boundaries, affection


def test_a_fact_carries_its_words_and_the_message_they_are_from() -> None:
    (kept,) = reading(answer(facts=[fact(message_id=str(WINDOW[2].id))])).facts
    assert kept == Fact(
        "event",
        "user",
        "",
        "real",
        "사용자는 위스키를 선물받았다.",
        "위스키 선물 받았어",
        WINDOW[0].id,  # the one that holds the words, whatever the model said
        0.9,
    )
    twice = (*WINDOW, message("위스키 선물 받았어, 또"))
    named = answer(facts=[fact(message_id=str(twice[3].id))])
    assert reading(named, window=twice).facts[0].message_id == twice[3].id


@pytest.mark.parametrize(
    "bad",
    [
        fact(quote="와인 선물 받았어"),
        fact(quote=""),
        fact(quote="축하해"),
        fact(category="horoscope"),
        fact(reality="dream"),
        fact(subject={"kind": "pet", "name": "두부"}),
        fact(subject={"kind": "other", "name": " "}),
        fact(subject={"kind": "other", "name": "민수"}, quote="축하해"),
        fact(subject={"kind": "character", "name": "바다"}),
        fact(text=" \n"),
        fact(confidence=0.49),
        fact(confidence=1.5),
        fact(confidence=float("nan")),
    ],
)
def test_a_fact_that_does_not_stand_is_dropped_and_counted(bad: dict[str, object]) -> None:
    kept = reading(answer(facts=[bad, fact()]))
    assert len(kept.facts) == 1
    assert kept.dropped["facts"] == 1


def test_what_a_character_says_of_itself_or_in_a_story_may_be_a_fact() -> None:
    itself = fact(subject={"kind": "character", "name": "하늘"}, quote="축하해")
    told = fact(subject={"kind": "other", "name": "용"}, quote="축하해", reality="story")
    kept = reading(answer(facts=[itself, told])).facts
    assert [(f.subject, f.name, f.reality) for f in kept] == [
        ("character", "하늘", "real"),
        ("other", "용", "story"),
    ]


def test_facts_are_counted_once_bounded_and_cut() -> None:
    many = [fact(f"{i}번 받았다") for i in range(30)]
    kept = reading(answer(facts=[many[0], many[0] | {"text": "0번 받았다!"}, *many])).facts
    assert [f.text for f in kept] == [f"{i}번 받았다" for i in range(20)]
    long = fact("가" * 500, subject={"kind": "other", "name": "나" * 90})
    (cut,) = reading(answer(facts=[long])).facts
    assert (len(cut.text), len(cut.name)) == (200, 40)


FRIEND = (message("내 친구 민수는 진짜 게을러. 엄마는 부산에 사셔. 나는 부지런해"),)


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("내 친구 민수는 진짜 게을러", "사용자는 게으르다.", None),
        ("내 친구 민수는 진짜 게을러", "사용자의 친구 민수는 게으르다.", ("user", "")),
        ("엄마는 부산에 사셔", "사용자는 부산에 산다.", None),
        ("민수는 진짜 게을러", "사용자는 게으르다.", None),
        ("나는 부지런해", "사용자는 부지런하다.", ("user", "")),
    ],
)
def test_a_friends_trait_is_never_the_users(
    quote: str, text: str, expected: tuple[str, str] | None
) -> None:
    minsu = fact(
        "민수는 사용자의 친구다.", subject={"kind": "other", "name": "민수"}, quote="민수는"
    )
    said = answer(summary="민수는 게으르다.", facts=[fact(text, quote=quote), minsu])
    kept = [f for f in reading(said, window=FRIEND).facts if f.name != "민수"]
    assert [(f.subject, f.name) for f in kept] == ([expected] if expected else [])


def test_an_answer_about_nothing_that_was_said_is_refused() -> None:
    other = answer(
        summary="사용자는 하늘에게 제주도 여행 계획을 말했다.",
        key_details=[detail("제주도 가자")],
        facts=[fact("제주도에 간다", quote="제주도 가자")],
    )
    with pytest.raises(ModelMalformed) as caught:
        reading(other)
    assert caught.value.reason == "summary: not about what was said in the window"


def test_a_summary_of_what_was_said_needs_no_quote_that_stands() -> None:
    assert reading(answer(key_details=[detail("와인을 받았다고 했다")])).details == ()


def test_everything_a_repair_should_mend_is_named() -> None:
    poor = Extraction(worth_keeping=True, summary="The user was given whisky yesterday.")
    assert shortcomings(poor, context_of(WINDOW, ["하늘", "바다"])) == (
        "no key detail for: 하늘, 바다",
        "summary: not in the language of the conversation",
        "summary: not about what was said in the window",
    )
    assert shortcomings(reading(answer()), context_of(WINDOW)) == ()


def test_characters_without_anything_the_user_said_or_did_to_them_are_missing() -> None:
    both = ("하늘", "바다")
    one_told = reading(answer(), *both)
    own_words = reading(answer(key_details=[detail("축하해", who="하늘", character="바다")]), *both)
    assert missing_details(one_told, both) == ("바다",)
    assert missing_details(own_words, both) == both


def test_with_one_character_any_detail_of_the_users_counts() -> None:
    unaddressed = reading(answer(key_details=[detail("위스키 선물", character=None)]))
    assert missing_details(unaddressed, ["하늘"]) == ()
    assert missing_details(reading(answer(key_details=[])), ["하늘"]) == ("하늘",)


def test_nothing_is_missing_from_a_window_not_worth_keeping() -> None:
    assert missing_details(Extraction(worth_keeping=False), ["하늘"]) == ()


def test_escaped_hangul_and_lone_surrogates_are_read_as_text() -> None:
    escaped = json.dumps(json.loads(answer(summary="지은\ud800 위스키 이야기")))
    assert reading(escaped).summary == "지은 위스키 이야기"
