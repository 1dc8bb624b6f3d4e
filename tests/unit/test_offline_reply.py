"""Replies by rules: honest, short, in the user's language, from what was recalled."""

import pytest

from gieok.calls import Finish, ModelChoice, Usage
from gieok.providers.offline.provider import RULES, Offline
from gieok.types import Locale, Recalled, Turn
from tests.support.prompt_samples import assembled, earlier, memory, quote, turn

CHOICE = ModelChoice("offline", "rules")
CAT = memory("고양이를 키운다.", 3, [quote("우리 고양이 두부는 네 살이야")])
BUSAN = memory("엄마 생신에 부산에 내려갔다.", 1, [quote("엄마 생신이 12월 12일이라서 부산에 가")])


async def said(
    text: str, *memories: Recalled, turns: tuple[Turn, ...] = (), locale: Locale = "ko"
) -> str:
    prompt = assembled(*memories, text=text, turns=turns, locale=locale).prompt
    *pieces, finish = [p async for p in Offline().stream(prompt, CHOICE, 5)]
    assert finish == Finish("stop", Usage(), RULES)
    assert all(pieces)
    return "".join(map(str, pieces))


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("우리 두부 몇 살이었지", "(3일 전) “우리 고양이 두부는 네 살이야”"),
        ("엄마 생신이 언제였지", "(어제) “엄마 생신이 12월 12일이라서 부산에 가”"),
        ("부산 내려갔던 거 말해줘", "(어제) “엄마 생신에 부산에 내려갔다.”"),
    ],
)
async def test_a_question_is_answered_by_the_closest_memory(question: str, quoted: str) -> None:
    answer = await said(question, CAT, BUSAN)

    assert answer == f"네, 이렇게 기억하고 있어요. {quoted}"


@pytest.mark.parametrize(
    ("question", "locale", "quoted"),
    [
        ("아까 내가 무슨 면접 봤다고 했지?", "ko", "(10분 전) “카카오 백엔드 면접 봤어.”"),
        ("私、さっき何の面接を受けたと言った?", "ja", "(10分前)「今日カカオの面接を受けたよ」"),
    ],
)
async def test_a_question_is_answered_from_an_earlier_talk_too(
    question: str, locale: Locale, quoted: str
) -> None:
    told = {"ko": "카카오 백엔드 면접 봤어. 떨렸어.", "ja": "今日カカオの面接を受けたよ", "en": ""}
    prompt = assembled(earlier=[earlier(told[locale])], text=question, locale=locale).prompt
    pieces = [p async for p in Offline().stream(prompt, CHOICE, 5)]
    assert quoted in "".join(map(str, pieces[:-1]))


async def test_without_a_closest_one_the_newest_is_shown_with_a_doubt() -> None:
    answer = await said("내가 무슨 색 좋아하는지 기억나?", BUSAN, CAT)

    assert answer.startswith("꼭 맞는 기억인지는 모르겠지만")
    assert "(어제)" in answer


async def test_with_no_memory_it_says_so() -> None:
    assert await said("내 생일 기억해?") == "그 이야기는 제 기억에 없어요. 다시 들려주시겠어요?"


async def test_what_was_said_in_this_conversation_counts_as_remembered() -> None:
    turns = (turn("나 오늘 회사 다녀와서 너무 힘들었어"), turn("배고프다"))

    answer = await said("아까 힘들었다고 한 거 기억해?", turns=turns)

    assert answer == "네, 이렇게 기억하고 있어요. (조금 전) “나 오늘 회사 다녀와서 너무 힘들었어”"


async def test_what_the_character_said_is_no_evidence() -> None:
    turns = (turn("안녕", "어제 보라카이 여행 다녀왔잖아."),)

    assert "보라카이" not in await said("보라카이 여행 기억해?", turns=turns)


async def test_a_statement_is_acknowledged_and_reminds_of_what_is_near() -> None:
    answer = await said("두부가 오늘 밥을 안 먹어.", CAT, BUSAN)

    assert answer == (
        "“두부가 오늘 밥을 안 먹어” 이야기, 잘 들었어요. "
        "그러고 보니 이 기억이 떠올라요. (3일 전) “우리 고양이 두부는 네 살이야”"
    )


async def test_a_statement_without_memories_gets_no_invented_past() -> None:
    answer = await said("나 면접 붙었어!")

    assert answer == "“나 면접 붙었어!” 이야기, 잘 들었어요. 지금 떠오르는 지난 기억은 없어요."


async def test_small_talk_is_not_quoted_back() -> None:
    assert (await said("ㅋㅋㅋ")).startswith("네, 듣고 있어요.")


@pytest.mark.parametrize(
    ("locale", "question", "answer"),
    [
        ("en", "Do you remember my birthday?", "I have no memory of that."),
        ("ja", "わたしの誕生日、覚えてる?", "そのお話は記憶にありません。"),
    ],
)
async def test_it_speaks_the_language_of_the_prompt(
    locale: Locale, question: str, answer: str
) -> None:
    assert (await said(question, locale=locale)).startswith(answer)


async def test_an_english_question_finds_its_memory() -> None:
    puppy = memory("Adopted a puppy.", 3, [quote("My puppy's name is Biscuit")])
    trip = memory("Went to Boston.", 2, [quote("The wedding in Boston was lovely")])

    answer = await said("What was my puppy's name?", puppy, trip, locale="en")

    assert answer == "Yes, this is what I remember. (3 days ago) “My puppy's name is Biscuit”"


async def test_a_long_message_is_shortened() -> None:
    answer = await said("나는 " + "아주 긴 등산 이야기를 하고 있어 " * 50)

    assert len(answer) < 150
    assert "…" in answer
