"""What a user's sentences change about a relationship, by rules."""

import pytest

from gieok.providers.offline.relationship import updated
from gieok.providers.offline.speech import speech_level
from gieok.types import RelationshipState

NOTHING = RelationshipState()


@pytest.mark.parametrize(
    ("said", "level"),
    [
        (["오늘 너무 힘들었어요", "내일은 쉬려고 합니다", "그렇죠?"], "존댓말"),
        (["오늘 너무 힘들었어", "내일은 쉴래ㅋㅋ", "매일 야근임"], "반말"),
        (["오늘 힘들었어", "죄송해요", "내일 봐", "감사합니다"], "섞어 씀"),
        (["I had a long day", "ㅋㅋㅋㅋ"], ""),
        ([], ""),
        (["넵"], "존댓말"),
        (["안녕하세요 선생님"], "존댓말"),
        (["알겠습니당"], "존댓말"),
        (["제가 할게요 주인님~"], "존댓말"),
        (["배고프니까", "그건 아니다", "이게 필요"], "반말"),
        (['"오늘 어디 갔어?" 그가 물었다.'], ""),
        (["오늘 힘들었어요", "우리 말 놓자"], "반말"),
    ],
)
def test_the_speech_level_is_read_from_endings(said: list[str], level: str) -> None:
    assert speech_level(said) == level


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("내 이름은 민수야", "민수"),
        ("제 이름은 김서윤입니다", "김서윤"),
        ("앞으로 써니라고 불러줘", "써니"),
        ("저를 민준이라고 불러주세요", "민준"),
        ("이름은 서윤인데 다들 써니라고 불러", "써니"),
        ("My name is Caroline and I paint.", "Caroline"),
        ("Just call me Al.", "Al"),
        ("그 사람 이름이 뭐더라", ""),
        ("우리 강아지 이름은 콩이야", ""),
        ("여자친구 이름은 수민이야. 내 이름은 민수야", "민수"),
        ("안녕! 이름은 서윤이야", "서윤"),
        ("내 친구는 나를 바보라고 불러", ""),
        ("애들이 날 돼지라고 불러", ""),
        ("널 콩이라고 불러도 돼?", ""),
        ("이름은 몰라도 돼", ""),
        ("제 이름은 박민서라고 합니다", "박민서"),
        ("이름은 **콩이**야", "콩이"),
        ("친구들은 나를 곰이라고 부르는데 너는 그냥 민수라고 불러줘", "민수"),
        ("나를 바보라고 부르지 마", ""),
        ("왜 날 바보라고 불러?", ""),
        ("저는 이수현이라고 해요", "이수현"),
        ("내 이름은 비밀이야", ""),
        ("My friends call me Piggy", ""),
        ("Don't call me Piggy", ""),
        ("You can call me Al", "Al"),
        ("みーちゃんって呼んで", "みーちゃん"),
        ("みんなみーちゃんって呼ぶ", ""),
    ],
)
def test_how_the_user_wants_to_be_called(sentence: str, name: str) -> None:
    assert updated(NOTHING, [sentence]).user_called == name


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("너는 말랑말랑하니까 모찌라고 부를래", "모찌"),
        ("Can I call you Sunny?", "Sunny"),
        ("널 콩이라고 불러도 돼?", "콩"),
        ("이제 널 '하루'라고 부를게", "하루"),
        ("내 동생을 콩이라고 부를게", ""),
        ("君をハルって呼んでもいい?", "ハル"),
        ("너 오늘 뭐 해?", ""),
    ],
)
def test_how_the_user_wants_to_call_the_character(sentence: str, name: str) -> None:
    assert updated(NOTHING, [sentence]).character_called == name


@pytest.mark.parametrize(
    "sentence",
    [
        "내일 꼭 전화할게",
        "생일에 축하해 줘",
        "다음에 얘기해줄게",
        "약속이야, 같이 가는 거다",
        "Remind me to call mom",
        "일요일 밤마다 나한테 한주 어땠는지 물어봐줘 약속!",
    ],
)
def test_promises_are_kept_word_for_word(sentence: str) -> None:
    assert updated(NOTHING, [sentence]).promises == (sentence,)


@pytest.mark.parametrize(
    "sentence",
    [
        *("준비할게 많아서 바빠", "씻고 올게", "회사에 알려줘야 돼", "써니라고 불러줘"),
        *("약속 기억해?", "약속 취소하자", "친구랑 약속 있어", "엄마랑 여행 가기로 약속했어"),
        "웃긴 얘기 해줘",
    ],
)
def test_what_only_looks_like_a_promise_is_none(sentence: str) -> None:
    assert updated(NOTHING, [sentence]).promises == ()


def test_beyond_five_the_oldest_promises_go() -> None:
    before = RelationshipState(promises=("a", "b", "c", "d", "e"))

    assert updated(before, ["내일 꼭 전화할게"]).promises == (
        "b",
        "c",
        "d",
        "e",
        "내일 꼭 전화할게",
    )


@pytest.mark.parametrize(
    ("said", "moved"),
    [
        (["사랑해"], 2),
        (["너 진짜 싫어"], -2),
        (["고마워", "네 덕분이야", "보고 싶었어"], 6),
        (["고마워"] * 9, 10),
        (["떡볶이 좋아해", "회사가 싫어"], 0),
        (["너 싫은 거 아니야"], 0),
        (["고맙다고 하지 마"], 0),
        (["친구가 네가 싫대"], 0),
        (['"사랑해"라고 그가 말했다'], 0),
        (["I don't hate you"], 0),
        (["고맙다고 말하고 싶었어"], 2),
    ],
)
def test_affection_moves_a_little_by_words_to_the_character(said: list[str], moved: int) -> None:
    assert updated(RelationshipState(affection=50), said).affection == 50 + moved


def test_affection_stays_within_its_scale() -> None:
    assert updated(RelationshipState(affection=99), ["사랑해"]).affection == 100


def test_a_bare_name_after_somebody_is_not_the_users() -> None:
    assert updated(NOTHING, ["고양이를 데려왔어.", "이름은 두부야"]).user_called == ""


def test_a_request_stands_with_what_it_is_about() -> None:
    said = ["내일 친구한테 연락해야 해.", "꼭 알려줘"]

    assert updated(NOTHING, said).promises == ("내일 친구한테 연락해야 해. 꼭 알려줘",)


def test_the_promise_that_is_named_goes() -> None:
    before = RelationshipState(promises=("남산 가기로 약속해", "내일 꼭 전화할게"))

    assert updated(before, ["남산은 안 가도 돼"]).promises == ("내일 꼭 전화할게",)
