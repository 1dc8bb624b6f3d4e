"""Extraction by rules, on conversations as people type them."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from gieok.errors import ModelMalformed
from gieok.extraction.answer import missing_details, read
from gieok.extraction.extraction import Extraction
from gieok.extraction.request import request
from gieok.providers.offline.extraction import DETAILS, extract
from gieok.types import Locale, Message, Relationship, RelationshipState
from tests.support.prompt_samples import context_of

START = datetime(2026, 11, 30, 3, 0, tzinfo=UTC)  # a Monday, noon in Seoul


def conversation(*lines: str) -> list[Message]:
    """Messages from "name: text"; the user is "user"."""
    return [
        Message(
            uuid4(),
            "user" if who == "user" else "assistant",
            "" if who == "user" else who,
            text,
            START + timedelta(minutes=i),
        )
        for i, (who, _, text) in enumerate(line.partition(": ") for line in lines)
    ]


def raw(
    messages: Sequence[Message],
    cast: Sequence[str] = ("하루",),
    states: dict[str, RelationshipState] | None = None,
    locale: Locale = "ko",
) -> dict[str, Any]:
    known = {name: Relationship(state) for name, state in (states or {}).items()}
    prompt = request(context_of(messages, cast, known, locale=locale))
    answer: dict[str, Any] = json.loads(extract(prompt.payload, "offline"))
    return answer


def extracted(messages: Sequence[Message], cast: Sequence[str] = ("하루",)) -> Extraction:
    """The answer as the engine reads it."""
    return read(json.dumps(raw(messages, cast)), context_of(messages, cast))


MOVING = conversation(
    "user: 안녕 하루야!",
    "하루: 안녕! 오늘 어땠어?",
    "user: 나 오늘 회사 다녀와서 너무 힘들었어 팀장님이 또 야근시켰거든",
    "하루: 고생했네. 저번에 말한 보라카이 여행은 어때?",
    "user: ㅋㅋㅋㅋ",
    "user: 다음 주 금요일에 부산 본가에 내려가려고. 엄마 생신이 12월 12일이라서!",
    "하루: 좋겠다!",
    "user: 응 그래",
    "user: 고양이 두부도 데려갈 거야. 이동장은 3만 5천원 주고 샀어",
)


def test_the_users_own_sentences_are_kept_word_for_word() -> None:
    kept = extracted(MOVING)

    assert kept.worth_keeping
    texts = [d.text for d in kept.details]
    assert "나 오늘 회사 다녀와서 너무 힘들었어 팀장님이 또 야근시켰거든" in texts
    assert "엄마 생신이 12월 12일이라서!" in texts
    assert {d.who for d in kept.details} == {"user"}
    assert {d.character for d in kept.details} == {"하루"}


def test_greetings_and_back_channels_are_dropped() -> None:
    texts = " ".join(d.text for d in extracted(MOVING).details)

    for dropped in ("안녕", "ㅋㅋㅋㅋ", "응 그래"):
        assert dropped not in texts


def test_what_a_character_made_up_is_nowhere() -> None:
    assert "보라카이" not in json.dumps(raw(MOVING), ensure_ascii=False)


def test_the_summary_holds_the_sentences_that_tell_most_in_order() -> None:
    summary = extracted(MOVING).summary

    assert summary.index("힘들었어") < summary.index("부산") < summary.index("두부")
    assert summary.endswith(".")


def test_search_terms_are_nouns_numbers_and_dates_without_particles() -> None:
    terms = extracted(MOVING).search_terms

    assert {"부산", "본가", "엄마", "두부", "팀장님", "12월", "12일", "이동장"} <= set(terms)
    assert not {"본가에", "두부도", "이동장은", "너무", "오늘"} & set(terms)


def test_relative_days_are_counted_from_the_day_of_the_message() -> None:
    kept = extracted(MOVING)

    friday = next(d for d in kept.details if "부산" in d.text)
    assert friday.context == "11월 30일, 다음 주 금요일 = 12월 11일"
    assert "12월 11일" in kept.search_terms


@pytest.mark.parametrize(
    "lines",
    [
        ("user: 안녕", "하루: 안녕!", "user: ㅇㅇ", "user: 응 그래 ㅋㅋ", "user: 잘 자~"),
        ("user: hi", "user: ok thanks", "user: lol", "user: good night!"),
        ("user: 내 생일 언제였지?", "user: 고양이 이름 기억나?", "user: 우리 어디 갔더라"),
    ],
)
def test_nothing_told_is_nothing_to_keep(lines: tuple[str, ...]) -> None:
    answer = raw(conversation(*lines))

    assert answer == {
        "worth_keeping": False,
        "summary": "",
        "importance": 2,
        "key_details": [],
        "search_terms": [],
        "related_terms": [],
        "asked_as": [],
        "facts": [],
        "relationship_states": [],
    }


def test_each_character_of_a_group_has_a_detail() -> None:
    messages = conversation(
        "user: 다들 안녕",
        "user: 유나야 너한테 빌린 책 다 읽었어",
        "유나: 벌써?",
        "user: 주말에 셋이 한강 가자",
        "하루: 좋아!",
        "유나: 나도!",
        "민호: 나도 갈래",
    )
    cast = ("하루", "유나", "민호")

    kept = extracted(messages, cast)

    assert missing_details(kept, cast) == ()
    assert next(d for d in kept.details if "책" in d.text).character == "유나"


@pytest.mark.parametrize(
    "lines",
    [
        ("user: 너한테만 말하는데 나 너 좋아해", "유나: 정말?", "user: 응", "유나: 나도 좋아해"),
        ("user: 유나야 너한테만 말하는데 나 너 좋아해", "하루: 뭐라고?"),
    ],
)
def test_what_is_said_to_one_of_a_group_is_said_to_no_other(lines: tuple[str, ...]) -> None:
    messages, cast = conversation(*lines), ("하루", "유나")

    kept = extracted(messages, cast)

    assert {d.character for d in kept.details} == {"유나"}
    assert missing_details(kept, cast) == ("하루",)


def test_an_answer_that_names_nobody_does_not_tell_who_was_meant() -> None:
    messages = conversation("user: 나 다음 달에 결혼해!", "하루: 축하해!")

    kept = extracted(messages, ("하루", "유나"))

    assert missing_details(kept, ("하루", "유나")) == ()


def test_many_sentences_leave_those_that_tell_most() -> None:
    small = [f"user: {day}일 점심은 김밥 먹었어" for day in range(1, 16)]
    messages = conversation(*small, "user: 나 다음 달에 결혼해! 약속한 대로 꼭 와 줘")

    kept = extracted(messages)

    assert len(kept.details) == DETAILS
    assert kept.details[-1].text == "약속한 대로 꼭 와 줘"
    assert "결혼해" in kept.summary


def test_what_matters_more_is_more_important() -> None:
    lunch = extracted(conversation("user: 점심에 김밥 먹었는데 맛은 그냥 그랬어"))
    plan = extracted(conversation("user: 주말에 친구랑 등산 가기로 했어"))
    news = extracted(conversation("user: 나 면접 합격했어! 너무 행복해 다음 주부터 출근이야"))

    assert 1 <= lunch.importance < plan.importance < news.importance <= 10


def test_sensitive_words_are_indexed_as_the_general_one() -> None:
    kept = extracted(conversation("user: 할머니가 우울증 진단을 받으셔서 걱정이야"))

    assert "건강" in kept.search_terms
    assert "우울증" not in kept.search_terms
    assert kept.details[0].text == "할머니가 우울증 진단을 받으셔서 걱정이야"


def test_what_is_done_between_asterisks_is_an_action() -> None:
    kept = extracted(conversation("user: *하루의 손을 잡는다* 내일 같이 바다 보러 가자"))

    assert [(d.kind, d.text) for d in kept.details] == [
        ("quote", "내일 같이 바다 보러 가자"),
        ("action", "하루의 손을 잡는다"),
    ]


def test_english_conversations_are_kept_too() -> None:
    messages = conversation(
        "user: Hey!",
        "Haru: Hi there!",
        "user: I adopted a puppy named Biscuit yesterday. Mr. Lee next door helped me.",
        "user: My sister's wedding is on March 3rd in Boston and I'm nervous about my speech",
        "user: haha ok",
    )

    answer = raw(messages, ("Haru",), locale="en")

    assert [d["text"] for d in answer["key_details"]] == [
        "I adopted a puppy named Biscuit yesterday.",
        "Mr. Lee next door helped me.",
        "My sister's wedding is on March 3rd in Boston and I'm nervous about my speech",
    ]
    assert answer["key_details"][0]["context"] == "November 30, yesterday = November 29"
    assert {"biscuit", "puppy", "wedding", "boston", "march"} <= set(answer["search_terms"])
    assert answer["importance"] >= 5


def test_a_relationship_is_updated_from_what_it_was() -> None:
    before = RelationshipState(standing="친한 친구", promises=("매주 편지 쓰기",), affection=10)
    messages = conversation(
        "user: 나를 써니라고 불러줘",
        "user: 고마워 네 덕분에 힘이 나",
        "user: 이번 주말에 꼭 바다 데려가 준다고 약속해",
        "user: 전 남자친구 얘기는 꺼내지 마",
    )

    [state] = raw(messages, states={"하루": before})["relationship_states"]

    assert state["user_called"] == "써니"
    assert state["standing"] == "친한 친구"
    assert state["speech_level"] == "반말"
    assert state["promises"] == ["매주 편지 쓰기", "이번 주말에 꼭 바다 데려가 준다고 약속해"]
    assert state["boundaries"] == ["전 남자친구 얘기는 꺼내지 마"]
    assert 10 < state["affection"] <= 20


def test_a_relationship_that_did_not_change_is_left_out() -> None:
    before = RelationshipState(speech_level="존댓말")

    answer = raw(conversation("user: 어제 도서관에서 책을 빌렸어요"), states={"하루": before})

    assert answer["relationship_states"] == []


def test_facts_are_what_the_user_said_of_themselves_word_for_word() -> None:
    messages = conversation(
        "user: 내 이름은 민수야. 나는 매운 떡볶이를 좋아해!",
        "하루: 나는 초콜릿을 좋아해",
        "user: 내 친구 지호는 커피를 좋아해",
        "user: 나는 너를 좋아해. 너는 커피를 좋아해?",
        "user: 다음엔 꼭 전화할게",
    )

    kept = extracted(messages).facts

    assert [(f.category, f.quote) for f in kept] == [
        ("profile", "내 이름은 민수야."),
        ("preference", "나는 매운 떡볶이를 좋아해!"),
        ("action_item", "다음엔 꼭 전화할게"),
    ]
    assert {(f.subject, f.reality, f.text == f.quote) for f in kept} == {("user", "real", True)}
    assert [f.message_id for f in kept] == [messages[0].id, messages[0].id, messages[4].id]


def test_english_facts_too() -> None:
    messages = conversation(
        "user: My name is Caroline and I live in Boston",
        "user: I really love hiking. I love you. My sister loves tea.",
        "user: I'll always call you first",
    )

    kept = extracted(messages, ("Haru",)).facts

    assert [f.category for f in kept] == ["profile", "preference", "action_item"]


def test_what_is_said_while_acting_is_a_fact_of_the_story() -> None:
    messages = conversation("user: *칼을 뽑는다* 내 이름은 아서다. 꼭 왕국을 구할게")

    assert {f.reality for f in extracted(messages).facts} == {"story"}


def test_each_change_of_a_relationship_quotes_the_sentence_that_made_it() -> None:
    messages = conversation(
        "user: 나를 써니라고 불러줘",
        "user: 너는 말랑말랑하니까 모찌라고 부를래",
        "user: 고마워 네 덕분에 힘이 나",
        "user: 이번 주말에 꼭 바다 데려가 준다고 약속해",
        "user: 전 남자친구 얘기는 꺼내지 마",
    )

    kept = extracted(messages)

    made = kept.relationships["하루"]
    assert kept.dropped["changes"] == 0, "no change of the rules is without its words"
    assert {q.field: q.text for q in made.quotes} == {
        "user_called": "나를 써니라고 불러줘",
        "character_called": "너는 말랑말랑하니까 모찌라고 부를래",
        "speech_level": "전 남자친구 얘기는 꺼내지 마",
        "promises": "이번 주말에 꼭 바다 데려가 준다고 약속해",
        "boundaries": "전 남자친구 얘기는 꺼내지 마",
        "affection": "고마워 네 덕분에 힘이 나",
    }


def test_a_summary_quotes_in_the_language_of_the_talk() -> None:
    korean = raw(conversation("user: *창밖을 본다* 나 어제 부산 다녀왔어."))
    english = raw(conversation("user: I adopted a puppy."), ("Haru",), locale="en")
    japanese = raw(conversation("user: 明日、京都に行くよ。"), ("ハル",), locale="ja")

    assert korean["summary"] == "사용자는 “나 어제 부산 다녀왔어”라고 말했다. 사용자가 창밖을 본다."
    assert english["summary"] == "The user said: “I adopted a puppy”."
    assert japanese["summary"] == "ユーザーは「明日、京都に行くよ」と話した。"


@pytest.mark.parametrize(
    "line",
    [
        "넵넵",
        "넵넵넵!",
        "알겠슴당",
        "이제 자야겠다 잘 자",
        "내일 뭐 해?",
        "너는 커피를 좋아해?",
        "심심해 웃긴 얘기 해줘",
        "asdfgh",
    ],
)
def test_play_and_questions_are_no_memories(line: str) -> None:
    assert not raw(conversation(f"user: {line}"))["worth_keeping"]


def test_what_was_corrected_is_no_fact_and_stands_with_its_correction() -> None:
    messages = conversation(
        "user: 나는 판교에서 일해. 나는 커피를 좋아해", "user: 아 판교가 아니라 성수야"
    )

    answer = raw(messages)

    assert [f["text"] for f in answer["facts"]] == ["나는 커피를 좋아해"]
    assert "“나는 판교에서 일해” (→ “아 판교가 아니라 성수야”)" in answer["summary"]
    [wrong] = [d for d in answer["key_details"] if d["text"] == "나는 판교에서 일해."]
    assert wrong["context"].endswith("→ “아 판교가 아니라 성수야”")


def test_related_terms_are_for_what_the_memory_tells() -> None:
    kept = extracted(conversation("user: 우리 고양이 두부가 라떼를 쏟았어"))

    assert {"반려동물", "커피"} <= set(kept.related_terms)


def test_a_choice_is_no_correction() -> None:
    messages = conversation("user: 나는 커피를 좋아해", "user: 오늘은 커피 말고 차 마실래")

    assert len(raw(messages)["facts"]) == 1


def test_what_somebody_else_said_is_no_fact_of_the_users() -> None:
    messages = conversation("user: 내 친구는 나는 고양이를 좋아해 라고 했어")

    assert raw(messages)["facts"] == []


def test_what_is_said_beside_the_story_is_real_and_an_order_no_promise() -> None:
    messages = conversation(
        "user: *칼을 뽑는다* 나는 왕국을 좋아해. ((나는 부산에 살아)) (OOC: 답은 짧게 해줘)"
    )

    answer = raw(messages)

    told = {f["text"]: f["reality"] for f in answer["facts"]}
    assert told == {"나는 왕국을 좋아해.": "story", "나는 부산에 살아": "real"}
    [state] = answer["relationship_states"]
    assert state["promises"] == []
    assert state["boundaries"] == ["답은 짧게 해줘"]


@pytest.mark.parametrize("payload", ["", "[]", "{}", '{"language": "ko", "characters": 5}'])
def test_another_payload_is_malformed_and_not_quoted(payload: str) -> None:
    with pytest.raises(ModelMalformed) as caught:
        extract(payload, "offline")

    assert caught.value.reason == "not the payload of an extraction call"
