"""What may be said of the user: their own words, and a plain yes to a question, not to a claim."""

import pytest

from gieok.evidence import evidence_of
from gieok.extraction import read
from gieok.types import Message
from tests.prompt_samples import answer, detail, fact, message

SUMMARY = "사용자는 커피를 마시며 쉬었다."
REST = message("커피 마시면서 쉬었어")


def talk(*lines: str) -> list[Message]:
    """The character and the user in turn, after something to sum up."""
    said = (
        message(line, "user") if i % 2 else message(line, "assistant", "하루")
        for i, line in enumerate(lines)
    )
    return [REST, *said]


def facts_of(said: list[Message], text: str, quote: str, **more: object) -> list[str]:
    proposed = answer(summary=SUMMARY, key_details=[], facts=[fact(text, quote=quote, **more)])
    return [f.text for f in read(proposed, ["하루"], said, {}).facts]


@pytest.mark.parametrize(
    ("asked", "yes", "text"),
    [
        ("너 서울 살아?", "응", "사용자는 서울에 산다."),
        ("너 서울 살아?", "ㅇㅇ 맞아", "사용자는 서울에 산다."),
        ("어서 와! 혹시 고양이 키워?", "네 맞아요!", "사용자는 고양이를 키운다."),
        ("Do you live in Seoul?", "Yes!", "The user lives in Seoul."),
        ("ソウルに住んでるの？", "うん", "ユーザーはソウルに住んでいる。"),
    ],
)
def test_a_plain_yes_to_a_question_tells_what_was_asked(asked: str, yes: str, text: str) -> None:
    assert facts_of(talk(asked, yes), text, yes) == [text]


@pytest.mark.parametrize(
    ("claimed", "quote"),
    [
        ("너 서울 살잖아", "응"),
        ("너 서울 살잖아?", "응"),
        ("너는 서울에 살지.", "응 그래"),
        ("서울에 사는 거 다 알아!", "응"),
        ("너 서울 안 살아?", "응"),
        ("너 서울 살아?", "응?"),
        ("너 서울 살아?", "응 아니 농담이야"),
        ("너 서울 살아?", "글쎄"),
        ("You live in Seoul.", "yes"),
    ],
)
def test_no_yes_to_a_claim_or_in_doubt_proves_anything(claimed: str, quote: str) -> None:
    texts = ("사용자는 서울에 산다.", "사용자는 서울에 살고 있다.", "The user lives in Seoul.")
    for text in texts[2:] if claimed.isascii() else texts[:2]:
        assert facts_of(talk(claimed, quote), text, quote) == []


def test_only_the_question_right_before_the_yes_is_answered() -> None:
    said = talk("너 서울 살아?", "오늘 덥다", "맞아, 오늘 정말 더워.", "응")
    assert facts_of(said, "사용자는 서울에 산다.", "응") == []


def test_a_claim_beside_the_question_is_not_answered() -> None:
    said = talk("어릴 때 부산에서 살았잖아. 지금은 서울 살아?", "응")
    assert facts_of(said, "사용자는 서울에 산다.", "응") == ["사용자는 서울에 산다."]
    assert facts_of(said, "사용자는 어릴 때 부산에서 살았다.", "응") == []


INVENTED = "너 어릴 때 부산에서 살았잖아"


@pytest.mark.parametrize("quote", ["응", "응 그래", "부산", "부산 좋지", INVENTED, "…", ""])
def test_what_a_character_made_up_is_no_fact_whatever_the_user_agreed_to(quote: str) -> None:
    said = talk(INVENTED, "응 그래", "바다도 보고?", "부산 좋지")
    assert facts_of(said, "사용자는 어릴 때 부산에서 살았다.", quote) == []
    friend = {"subject": {"kind": "other", "name": "민수"}}
    assert facts_of(said, "민수는 어릴 때 부산에서 살았다.", quote, **friend) == []


@pytest.mark.parametrize(
    ("asked", "told", "text"),
    [
        ("취미가 뭐야?", "등산", "사용자의 취미는 등산이다."),
        ("뭐 좋아해?", "술", "사용자는 술을 좋아한다."),
        ("몇 살이야?", "스물다섯", "사용자는 스물다섯 살이다."),
        ("생일이 언제야?", "3월 5일", "사용자의 생일은 3월 5일이다."),
        ("How long have you been married?", "5 years already!", "Married for 5 years."),
    ],
)
def test_an_answer_to_a_question_is_the_users_own_word(asked: str, told: str, text: str) -> None:
    assert facts_of(talk(asked, told), text, told) == [text]


def test_a_question_that_was_denied_is_not_what_the_user_said() -> None:
    said = talk("너 서울에 살아?", "아니, 나는 부산에 살아")
    assert facts_of(said, "사용자는 부산에 살아.", "나는 부산에 살아") != []
    assert facts_of(said, "사용자는 서울에 살아.", "나는 부산에 살아") == []


def test_a_word_or_two_of_the_characters_may_help_to_tell_it() -> None:
    said = talk("우와, 선물이구나!", "위스키를 민수한테서 받았어")
    text = "사용자는 민수에게 위스키를 선물로 받았다."
    assert facts_of(said, text, "위스키를 민수한테서 받았어") == [text]


def test_a_rewording_rests_on_a_telling_quote() -> None:
    said = talk("안녕!", "매일 아침 헤엄쳐")
    assert facts_of(said, "수영이 취미다.", "매일 아침 헤엄쳐") == ["수영이 취미다."]
    for nothing in ("응", "네 맞아요", "글쎄", "ㅋㅋㅋ", "yes", "うん"):
        assert facts_of(talk("안녕!", nothing), "수영이 취미다.", nothing) == []


def test_a_cut_quote_does_not_prove_the_opposite() -> None:
    said = talk("안녕!", "나는 매운 걸 안 좋아해")
    assert facts_of(said, "사용자는 매운 것을 좋아한다.", "좋아해") == []
    whole = "나는 매운 걸 안 좋아해"
    assert facts_of(said, "사용자는 매운 것을 안 좋아한다.", whole) != []


def actions_of(said: list[Message], text: str, who: str = "user") -> list[str]:
    proposed = answer(summary=SUMMARY, key_details=[detail(text, kind="action", who=who)])
    return [d.text for d in read(proposed, ["하루"], said, {}).details]


def test_an_action_of_the_users_is_in_the_users_words() -> None:
    said = talk(f"{INVENTED} *초콜릿을 준다*", "응 *꽃다발을 건넨다*")
    assert actions_of(said, "하루에게 꽃다발을 건넸다") == ["하루에게 꽃다발을 건넸다"]
    assert actions_of(said, "어릴 때 부산에서 살았다고 말했다") == []
    assert actions_of(said, "하루에게 초콜릿을 주었다") == []
    assert actions_of(said, "제주도 비행기표를 끊었다") == []


def test_an_action_of_a_characters_may_be_in_anybodys_words_that_were_said() -> None:
    said = talk("*초콜릿을 준다*", "*하루가 내민 꽃다발을 받는다*")
    assert actions_of(said, "초콜릿을 주었다", "하루") == ["초콜릿을 주었다"]
    assert actions_of(said, "꽃다발을 내밀었다", "하루") == ["꽃다발을 내밀었다"]
    assert actions_of(said, "제주도 비행기표를 끊었다", "하루") == []


def test_what_nobody_said_is_neither_proven_nor_refuted() -> None:
    assert evidence_of("user", talk("안녕!", "반가워"), ["하루"]).carries("제주도에 갔다") is None
