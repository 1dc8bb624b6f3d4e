"""What may be said of the user: their own words, and a plain yes to a question, not to a claim."""

import pytest

from gieok.extraction.answer import read
from gieok.types import Message
from tests.support.prompt_samples import answer, context_of, detail, fact, message

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
    rest = detail(REST.text)
    proposed = answer(summary=SUMMARY, key_details=[rest], facts=[fact(text, quote=quote, **more)])
    return [f.text for f in read(proposed, context_of(said, ["하루"])).facts]


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


def carried(asked: str, told: str, text: str, **more: object) -> bool:
    return facts_of(talk(asked, told), text, told, **more) == [text]


GIRLFRIEND = {"subject": {"kind": "other", "name": "girlfriend"}}


@pytest.mark.parametrize(
    ("asked", "told", "text"),
    [
        ("담배 피워?", "아니 끊었어", "사용자는 담배를 끊었다."),
        ("담배 피워?", "아니 안 피워", "사용자는 담배를 피우지 않는다."),
        ("학교는 서울이야?", "아니 부산", "사용자의 학교는 부산에 있다."),
        ("매운 거 잘 먹어?", "아니 나 맵찔이야", "사용자는 매운 음식을 못 먹는다."),
        ("애인은 있어?", "아니 없어ㅠ", "사용자는 애인이 없다."),
        ("너 서울 안 살아?", "응 안 살아", "사용자는 서울에 살지 않는다."),
        ("Do you smoke?", "nope, quit last year", "The user quit smoking last year."),
        ("Do you smoke?", "not anymore", "The user no longer smokes."),
        ("And do you cook?", "not really, my gf does", "The user does not really cook."),
        ("Would you take a pay cut?", "maybe 10% tops", "A pay cut of at most 10% is fine."),
    ],
)
def test_a_no_tells_what_is_denied_and_what_is_instead(asked: str, told: str, text: str) -> None:
    assert carried(asked, told, text)


@pytest.mark.parametrize(
    ("asked", "told", "text"),
    [
        ("너 서울 살아?", "아니", "사용자는 서울에 산다."),
        ("너 서울 살아?", "아니 부산 살아", "사용자는 서울에 살아."),
        ("너 서울 살아?", "응. 농담이야 ㅋㅋ", "사용자는 서울에 산다."),
        ("너 서울 안 살아?", "응 안 살아", "사용자는 서울에 산다."),
        ("커피 좋아해?", "별로", "사용자는 커피를 좋아한다."),
        ("커피 좋아해?", "완전 싫어", "사용자는 커피를 좋아한다."),
        ("커피 좋아해?", "글쎄 모르겠어", "사용자는 커피를 좋아하지 않는다."),
        ("담배 피워?", "응 피워", "사용자는 담배를 피우지 않는다."),
        ("애인 있어?", "없음", "사용자는 애인이 있다."),
        ("고양이 키운다고 했지?", "아니 고양이 말고 강아지", "사용자는 고양이를 키운다."),
        ("Do you smoke?", "not anymore", "The user smokes."),
        ("Do you like Radiohead?", "absolutely not", "The user likes Radiohead."),
        ("And do you cook?", "not really, my gf does", "The user cooks."),
    ],
)
def test_no_answer_tells_its_opposite(asked: str, told: str, text: str) -> None:
    assert not carried(asked, told, text)


def test_a_no_is_about_whom_the_question_is_about() -> None:
    assert carried("And do you cook?", "no, my gf does", "The girlfriend cooks.", **GIRLFRIEND)
    minsu = {"subject": {"kind": "other", "name": "민수"}}
    assert not carried("민수는 서울 살아?", "아니 대전", "민수는 서울에 산다.", **minsu)


@pytest.mark.parametrize(
    ("asked", "told", "text"),
    [
        ("결혼하셨어요?", "네, 작년에요. 근데 아직 신혼", "사용자는 작년에 결혼했다."),
        ("You and Jonah?", "yeah. 4 yrs. he doesn't feel it", "The user dated Jonah."),
        ("Are you allergic?", "peanuts, can't go near them", "The user is allergic to peanuts."),
        ("Do you play?", "guitar but i'm not good lol", "The user plays the guitar."),
    ],
)
def test_doubt_later_in_an_answer_is_about_something_else(asked: str, told: str, text: str) -> None:
    assert carried(asked, told, text)


@pytest.mark.parametrize(
    ("asked", "told", "text"),
    [
        ("면접 결과는 나왔어?", "붙었어!!!", "사용자는 면접에 합격했다."),
        ("시험 잘 봤어?", "망함", "사용자는 시험을 망쳤다."),
        ("혈액형이 뭐야?", "AB", "사용자의 혈액형은 AB형이다."),
        ("고백할 거야?", "크리스마스 이브에 하려고", "사용자는 12월 24일에 고백하려고 한다."),
        ("Do you like horror movies?", "love them", "The user loves horror movies."),
    ],
)
def test_an_answer_in_other_words_is_told_by_its_quote(asked: str, told: str, text: str) -> None:
    assert carried(asked, told, text)
    assert facts_of(talk(asked, f"ㅋㅋㅋ {told}"), text, "ㅋㅋㅋ") == []


@pytest.mark.parametrize(
    "yes", ["웅웅", "넵넵", "완전", "헉 네", "haha yes", "hell yeah", "of course", "definitely"]
)
def test_a_yes_has_many_forms_and_none_proves_a_claim(yes: str) -> None:
    text = "사용자는 서울에 산다."
    assert carried("너 서울 살아?", yes, text)
    assert not carried("너 서울 살잖아", yes, text)


def test_at_a_tie_a_word_decides_that_only_the_user_said() -> None:
    text = "사촌이 아이를 낳았다."
    cousin = {"subject": {"kind": "other", "name": "사촌"}}
    said = [*talk("뭐래?", "사촌언니 애 낳았다고"), message("아이고…", "assistant", "하루")]
    assert facts_of(said, text, "애 낳았다고", **cousin) == [text]
    assert not carried(INVENTED, "부산 좋지", "사용자는 부산에서 살았다.")


def test_a_question_that_was_denied_is_not_what_the_user_said() -> None:
    said = talk("너 서울에 살아?", "아니, 나는 부산에 살아")
    assert facts_of(said, "사용자는 부산에 살아.", "나는 부산에 살아") != []
    assert facts_of(said, "사용자는 서울에 살아.", "나는 부산에 살아") == []


def test_a_word_or_two_of_the_characters_may_help_to_tell_it() -> None:
    said = talk("우와, 선물이구나!", "위스키를 민수한테서 받았어")
    text = "사용자는 민수에게 위스키를 선물로 받았다."
    assert facts_of(said, text, "위스키를 민수한테서 받았어") == [text]


def test_a_rewording_rests_on_a_quote_with_content_words() -> None:
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
    return [d.text for d in read(proposed, context_of(said, ["하루"])).details]


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


def test_what_nobody_said_is_neither_the_users_nor_anybodys() -> None:
    window = context_of(talk("안녕!", "반가워"), ["하루"])
    assert window.evidence.carries("제주도에 갔다") == (0, 0)
