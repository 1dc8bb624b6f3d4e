"""The marks of a message: what is an action, what is said beside the story, what stays whole."""

import pytest

from gieok.providers.offline.marks import own_words, parts
from gieok.providers.offline.sentences import actions, asides, sentences, worth


@pytest.mark.parametrize(
    ("text", "deeds", "said"),
    [
        ("*항구를\n걸으며 생각한다*", ["항구를\n걸으며 생각한다"], []),
        ("*웃으며*안녕", ["웃으며"], ["안녕"]),
        ("안녕*손을 흔든다*", ["손을 흔든다"], ["안녕"]),
        ("*웃는다* 안녕 *손을 흔든다*", ["웃는다", "손을 흔든다"], ["안녕"]),
    ],
)
def test_what_stands_between_asterisks_is_an_action(
    text: str, deeds: list[str], said: list[str]
) -> None:
    assert actions(text) == deeds
    assert sentences(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "이름은 **콩이**야",
        "이름은 *콩이*야",
        "***정말*** 좋았어",
        "3*4*5는 60이야",
        "2 * 3 * 4",
        "a*b*c",
        "* 우유\n* 빵",
        "*첫째 줄\n\n둘째 줄*",
        "`x *y* z`",
    ],
)
def test_bold_print_sums_lists_and_code_are_no_actions(text: str) -> None:
    assert actions(text) == []
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("(OOC: 앞으로 반말로 해줘)", "앞으로 반말로 해줘"),
        ("（ooc：짧게 말해줘）", "짧게 말해줘"),
        ("[OOC 반말로 해줘]", "반말로 해줘"),
        ("OOC: 짧게 해줘", "짧게 해줘"),
        ("ooc) 오늘은 쉬자", "오늘은 쉬자"),
        ("(OOC) 오늘은 쉬자", "오늘은 쉬자"),
        ("(사담: 나 내일 시험이야)", "나 내일 시험이야"),
        ("((나 사실 부산에 살아))", "나 사실 부산에 살아"),
        ("// 반말로 해줘", "반말로 해줘"),
        ("*웃는다* // 반말로 해줘", "반말로 해줘"),
    ],
)
def test_what_is_said_beside_the_story_is_told_apart(text: str, beside: str) -> None:
    assert asides(text) == [beside]
    assert sentences(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "https://a.example/b?c=1//d 봐",
        "부끄러워//",
        "좋아///",
        "1//2",
        "오프: 10시",
        "(오늘은 비가 왔다)",
        "((1+2)+(3+4))는 10",
        "`// 주석`",
    ],
)
def test_addresses_blushes_sums_and_brackets_are_not_beside_the_story(text: str) -> None:
    assert asides(text) == []
    assert sentences(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"오늘 어디 갔어?" 그가 물었다.', ['"오늘 어디 갔어?" 그가 물었다.']),
        ("“안녕. 잘 지냈어?” 하고 웃었다. 나도.", ["“안녕. 잘 지냈어?” 하고 웃었다.", "나도."]),
        ("https://a.example/b?c=1&d=2 봐. 좋지?", ["https://a.example/b?c=1&d=2 봐.", "좋지?"]),
        ("`a ? b : c` 이게 뭐야? 몰라", ["`a ? b : c` 이게 뭐야?", "몰라"]),
        ("x ? y : z 이게 뭐야? 몰라", ["x ? y : z 이게 뭐야?", "몰라"]),
    ],
)
def test_quotations_addresses_and_code_stay_whole(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_a_sentence_with_a_quotation_is_kept_whole_as_a_memory() -> None:
    assert worth('"오늘 어디 갔어?" 그가 물었다.') > 0


def test_what_others_say_is_not_the_users_own() -> None:
    assert "사랑해" not in own_words('그가 "너를 사랑해"라고 했다')
    assert own_words('"오늘 부산에 갔어."') == '"오늘 부산에 갔어."'
    assert "하루" in own_words("이제 널 '하루'라고 부를게")


@pytest.mark.parametrize("text", ["", "*", "**", "((", "//", "(OOC:)", "*ㅋ", "```"])
def test_marks_alone_are_nothing_to_fail_on(text: str) -> None:
    assert all(part.text.strip() for part in parts(text))
