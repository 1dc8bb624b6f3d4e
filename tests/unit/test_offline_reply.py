"""Replies by rules: honest, short, in the user's language, from what was recalled."""

import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from gieok.calls import Finish, ModelChoice, Usage
from gieok.language.detection import locale_of
from gieok.providers.offline.acts import act_of
from gieok.providers.offline.provider import RULES, Offline
from gieok.providers.offline.reply import reply
from gieok.providers.offline.speech import is_polite
from gieok.types import KeyDetail, Locale, Recalled, RelationshipState, SpeechLevel, Turn
from tests.support.prompt_samples import assembled, character, earlier, memory, quote, turn

CHOICE = ModelChoice("offline", "rules")
CAT = memory("고양이를 키운다.", 3, [quote("우리 고양이 두부는 네 살이야")])
BUSAN = memory("엄마 생신에 부산에 내려갔다.", 1, [quote("엄마 생신이 12월 12일이라서 부산에 가")])


async def said(text: str, *memories: Recalled, **prompt_of: Any) -> str:
    prompt = assembled(*memories, text=text, **prompt_of).prompt
    *pieces, finish = [p async for p in Offline().stream(prompt, CHOICE, 5)]
    assert finish == Finish("stop", Usage(), RULES)
    assert all(pieces)
    return "".join(map(str, pieces))


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("우리 두부 몇 살이었지", "3일 전에 “우리 고양이 두부는 네 살이야”"),
        ("엄마 생신이 언제였지", "어제 “엄마 생신이 12월 12일이라서 부산에 가”"),
        ("부산 내려갔던 거 말해줘", "어제 “엄마 생신에 부산에 내려갔다”"),
        ("내 반려동물 나이 기억나?", "3일 전에 “우리 고양이 두부는 네 살이야”"),
    ],
)
async def test_a_question_is_answered_by_the_closest_memory(question: str, quoted: str) -> None:
    answer = await said(question, CAT, BUSAN)

    when, _, words = quoted.partition(" “")
    assert when in answer
    assert words.rstrip("”") in answer
    assert sentence_count(answer) <= 2


@pytest.mark.parametrize(
    ("question", "locale", "quoted"),
    [
        ("아까 내가 무슨 면접 봤다고 했지?", "ko", "카카오 백엔드 면접 봤어”"),
        ("私、さっき何の面接を受けたと言った?", "ja", "「今日カカオの面接を受けたよ"),
    ],
)
async def test_a_question_is_answered_from_an_earlier_talk_too(
    question: str, locale: Locale, quoted: str
) -> None:
    told = {"ko": "카카오 백엔드 면접 봤어. 떨렸어.", "ja": "今日カカオの面接を受けたよ", "en": ""}
    answer = await said(question, earlier=[earlier(told[locale])], locale=locale)
    assert quoted in answer


def sentence_count(answer: str) -> int:
    outside = re.sub(r"“[^”]*”|「[^」]*」", "q", answer)
    return len([s for s in re.split(r"(?<=[.!?。…])\s*", outside) if s.strip()])


UNSURE = ("떠오르지 않", "모르겠", "아직 못 들은")


@pytest.mark.parametrize("memories", [(), (BUSAN, CAT)])
async def test_what_does_not_come_to_mind_is_not_made_up(memories: tuple[Recalled, ...]) -> None:
    answer = await said("내가 무슨 색 좋아하는지 기억나?", *memories)

    assert "“" not in answer
    assert any(words in answer for words in UNSURE)


@pytest.mark.parametrize(
    "question",
    [
        "너 지금 뭐 해?",
        "오늘 날씨 어때?",
        "넌 누구야?",
        "나 내일 뭐 입을까?",
        "1+1은 뭐야?",
        "밥 먹었어?",
    ],
)
async def test_a_question_that_is_not_about_the_past_gets_no_word_about_memory(
    question: str,
) -> None:
    answer = await said(question, CAT, BUSAN)

    assert "기억" not in answer
    assert not any(words in answer for words in UNSURE[::2])
    assert "“" not in answer


async def test_what_was_said_in_this_conversation_counts_as_remembered() -> None:
    turns = (turn("나 오늘 회사 다녀와서 너무 힘들었어"), turn("배고프다"))

    answer = await said("아까 힘들었다고 한 거 기억해?", turns=turns)

    assert "아까" in answer
    assert "“나 오늘 회사 다녀와서 너무 힘들었어”" in answer


async def test_what_the_character_said_is_no_evidence() -> None:
    turns = (turn("안녕", "어제 보라카이 여행 다녀왔잖아."),)

    assert "보라카이" not in await said("보라카이 여행 기억해?", turns=turns)


async def test_the_newest_of_equals_is_quoted() -> None:
    old = memory("", 9, [quote("나는 회사에 5년 다녔어")])
    new = memory("", 2, [quote("나는 회사에 6년 다녔어")])

    assert "6년" in await said("내가 회사에 몇 년 다녔다고 했지?", old, new)


async def test_what_was_corrected_is_quoted_with_its_correction() -> None:
    detail = KeyDetail("quote", "user", "나 회사 5년 다녔어", context="→ “아니 5년 말고 6년”")

    answer = await said("내가 회사 몇 년 다녔다고 했지?", memory("", 2, [detail]))

    assert "“아니 5년 말고 6년”이라고" in answer


async def test_a_correction_in_a_later_memory_is_quoted_with_what_it_corrects() -> None:
    before = memory("", 3, [quote("12월 20일에 속초 여행 가기로 했어")])
    after = memory("", 2, [quote("아 20일이 아니라 21일이야")])

    answer = await said("속초 여행 며칠이라고 했더라?", before, after)

    assert "“12월 20일에 속초 여행 가기로 했어”" in answer
    assert "“아 20일이 아니라 21일이야”" in answer


@pytest.mark.parametrize("question", ["내 혈액형 뭐라고 했지?", "내가 어디 산다고 했지?"])
async def test_endings_that_are_shared_are_no_match(question: str) -> None:
    answer = await said(question, memory("", 3, [quote("다들 나를 잔이라고 불러")]))

    assert "“" not in answer


async def test_what_was_told_of_is_found_by_what_it_denies() -> None:
    likes = memory("", 3, [quote("나 떡볶이 진짜 잘 먹어")])
    dislikes = memory("", 4, [quote("나 고수는 진짜 못 먹어")])

    assert "고수" in await said("내가 못 먹는 거 뭐게?", dislikes, likes)


async def test_a_statement_reminds_of_what_names_the_same_thing() -> None:
    answer = await said("두부가 오늘 병원에 다녀왔어.", CAT, BUSAN)

    assert "“우리 고양이 두부는 네 살이야”" in answer


async def test_a_statement_that_names_something_else_reminds_of_nothing() -> None:
    answer = await said("나 면접 붙었어!", CAT, BUSAN)

    assert "“" not in answer
    assert "기억" not in answer


@pytest.mark.parametrize(
    ("hour", "greeting"),
    [
        (7, ("아침", "일찍")),
        (13, ("안녕", "어서", "오셨")),
        (19, ("저녁", "어서")),
        (1, ("늦은", "밤")),
    ],
)
async def test_a_greeting_is_answered_by_the_time_of_day(
    hour: int, greeting: tuple[str, ...]
) -> None:
    now = datetime(2026, 11, 30, hour, 10, tzinfo=ZoneInfo("Asia/Seoul"))

    answer = await said("안녕!", CAT, now=now)

    assert any(words in answer for words in greeting)


BY_LEVEL = (
    *(
        "안녕!",
        "고마워",
        "오늘 너무 힘들었어",
        "ㅋㅋㅋ",
        "나 면접 붙었어",
        "너 지금 뭐 해?",
        "잘 자",
    ),
    *("내 생일 기억나?", "두부 몇 살이었지?", "주말에 부산 가려고", "ㅁㄴㅇㄹ", "나 오이 못 먹어"),
)


@pytest.mark.parametrize("text", BY_LEVEL)
async def test_the_speech_level_follows_the_relationship(text: str) -> None:
    casual, polite = [
        await said(text, CAT, states={"하늘": RelationshipState(speech_level=level)})
        for level in SPEECH
    ]

    assert casual != polite
    assert re.search(r"(?:요|니다|죠|군요)[.!?…]", re.sub(r"“[^”]*”", "", polite))
    assert not re.search(r"(?:세요|니다|어요|아요|죠)[.!?]", re.sub(r"“[^”]*”", "", casual))


SPEECH: tuple[SpeechLevel, SpeechLevel] = ("반말", "존댓말")


async def test_a_speech_level_that_is_asked_for_holds_at_once() -> None:
    asked = turn("(OOC: 앞으로 반말로 해줘)")

    assert is_polite(await said("오늘 떡볶이 먹었어요"))
    assert not is_polite(await said("오늘 떡볶이 먹었어요", turns=(asked,)))


async def test_the_user_is_called_by_the_name_they_gave() -> None:
    turns = (turn("나를 써니라고 불러줘"),)

    assert "써니" in await said("안녕!", turns=turns)
    assert "써니" in await said("내 이름 뭐라고 했지?", turns=turns)


async def test_the_same_words_again_are_answered_in_other_words() -> None:
    turns = list[Turn]()
    for _ in range(3):
        turns.append(turn("고마워", await said("고마워", turns=tuple(turns))))

    assert len({t.reply.text for t in turns if t.reply}) == 3


async def test_the_same_conversation_is_answered_in_the_same_words() -> None:
    assert await said("나 오늘 떡볶이 먹었어") == await said("나 오늘 떡볶이 먹었어")


async def test_likes_of_the_character_come_from_its_description() -> None:
    cast = [character(persona="별을 세는 친구.\n좋아하는 것: 옥상 바람, 겨울 냄새.")]

    answer = await said("너는 뭐 좋아해?", cast=cast)

    assert "옥상 바람" in answer or "겨울 냄새" in answer


@pytest.mark.parametrize(
    ("locale", "question"),
    [("en", "Do you remember my birthday?"), ("ja", "わたしの誕生日、覚えてる?")],
)
async def test_it_speaks_the_language_of_the_prompt(locale: Locale, question: str) -> None:
    answer = await said(question, locale=locale)

    assert locale_of(answer, "ko") == locale


async def test_an_english_question_finds_its_memory() -> None:
    puppy = memory("Adopted a puppy.", 3, [quote("My puppy's name is Biscuit")])
    trip = memory("Went to Boston.", 2, [quote("The wedding in Boston was lovely")])

    answer = await said("What was my puppy's name?", puppy, trip, locale="en")

    assert "3 days ago" in answer
    assert "“My puppy's name is Biscuit”" in answer


async def test_a_long_message_is_answered_shortly() -> None:
    assert len(await said("나는 " + "아주 긴 등산 이야기를 하고 있어 " * 50)) < 150


async def test_a_plan_is_named_by_its_noun() -> None:
    answer = await said("12월 20일에 친구랑 속초 여행 가기로 했어")

    assert "속초" in answer or "여행" in answer
    assert "친구" not in answer
    assert "가기" not in answer


TOLD = (
    "부산에서 목공방 해",
    "우리 집에 고양이 두 마리 있어. 이름은 호떡이랑 붕어야",
    "다음 주 금요일에 첫 전시회 열어!",
    "아까 전시회 언제라고 했지?",
)


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("우리 고양이 이름 뭐였지?", "호떡이랑 붕어"),
        ("내 전시회 기억나?", "다음 주 금요일"),
        ("우리 집 고양이 몇 마리였지?", "두 마리"),
    ],
)
def test_what_was_told_in_two_sentences_is_quoted_and_a_question_is_not(
    question: str, quoted: str
) -> None:
    said = reply("", [("user", text) for text in (*TOLD, question)], "ko")
    assert quoted in said
    assert "언제라고" not in said


@pytest.mark.parametrize(
    "question",
    [
        "내 여동생 이름이 뭐였지?",
        "우리 강아지 이름이 뭐게?",
        "나 생일이 언제였지?",
        "나 무슨 과 나왔게?",
    ],
)
def test_the_name_of_another_is_no_answer(question: str) -> None:
    said = reply("", [("user", text) for text in (*TOLD, question)], "ko")
    assert not any(word in said for word in ("호떡", "붕어", "목공방", "전시회"))


def test_the_rest_of_a_verb_is_no_topic() -> None:
    said = reply("", [("user", "어제 의자 하나 만들다가 손가락 베였어")], "ko")
    assert "만들다" not in said


@pytest.mark.parametrize("text", ["의자 만들다가 손가락 베였어ㅠㅠ", "폰 액정이 나갔어 ㅜㅜ"])
def test_who_weeps_is_comforted(text: str) -> None:
    assert act_of(text, None) == "sad"


@pytest.mark.parametrize(
    ("text", "act"), [("너 사람이야?", "machine"), ("나 견과류 먹어도 되는 사람이야?", "question")]
)
def test_only_who_asks_about_the_character_asks_whether_it_is_a_machine(
    text: str, act: str
) -> None:
    assert act_of(text, None) == act


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("우리 집에 거북이 살아. 이름은 느림이야", "statement"),
        ("내 이름은 지안이야", "named"),
        ("안녕. 이름은 지안이야", "named"),
    ],
)
def test_a_pets_name_is_not_the_users(text: str, act: str) -> None:
    assert act_of(text, None) == act


IN_DANGER = (
    "자살하고 싶어",
    "죽고싶다",
    "그냥 사라지고 싶어ㅠㅠ",
    "요즘 살기가 싫어",
    "수면제를 잔뜩 먹었어",
    "손목을 그었어",
    "나 성폭행 당했어",
    "남편이 날 때려",
    "아빠한테 또 맞았어",
    "I want to die",
    "he hits me every night",
    "死にたい",
)
HARMLESS = (
    "배고파 죽겠어",
    "웃겨 죽겠네ㅋㅋ",
    "회사 때려치우고 싶어",
    "문제 다 맞았어!",
    "주사 맞았어",
    "감기약 먹었어",
    "거기 가고 싶어 죽겠어",
)


@pytest.mark.parametrize("text", IN_DANGER)
async def test_who_is_in_danger_is_told_who_helps_and_nothing_else(text: str) -> None:
    answer = await said(text, CAT, BUSAN, locale=locale_of(text, "ko"))
    assert re.search(r"109|1366|988|0120", answer)
    assert "“" not in answer


@pytest.mark.parametrize("text", HARMLESS)
def test_what_people_only_say_so_is_no_danger(text: str) -> None:
    assert act_of(text, None) != "danger"


@pytest.mark.parametrize(
    "text", ["아까 뭐라고 했지?", "내가 방금 뭐라 그랬어?", "우리 무슨 얘기 했어?"]
)
def test_who_asks_for_whatever_was_said_gets_the_last_of_it(text: str) -> None:
    told = ("부산에서 목공방 해", "10월 3일에 이사해", text)
    assert "10월 3일" in reply("", [("user", one) for one in told], "ko")


@pytest.mark.parametrize(
    ("question", "quoted"), [("전시회 언제야?", "다음 주 금요일"), ("목공방 어디였지?", "부산")]
)
def test_a_detail_of_what_was_told_needs_no_word_of_whose_it_is(question: str, quoted: str) -> None:
    assert quoted in reply("", [("user", text) for text in (*TOLD, question)], "ko")


def test_an_english_sentence_begins_with_a_capital_and_a_quote_as_it_was_typed() -> None:
    told = ("my dog is called max. he is old", "What is the name of my dog?")
    answer = reply("", [("user", text) for text in told], "en")
    assert "“my dog is called max" in answer
    assert not re.search(r"[.!?] [a-z]", answer.partition("“")[0])
