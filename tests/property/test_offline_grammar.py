"""The grammar of the offline rules on sentences that are built of stems, particles and endings."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.language import korean
from gieok.providers.offline.dates import relative_days
from gieok.providers.offline.names import named
from gieok.providers.offline.promises import draws_line, is_promise
from gieok.providers.offline.related import MOST, related_terms
from gieok.providers.offline.relationship import updated
from gieok.providers.offline.sentences import asides, sentences, worth
from gieok.providers.offline.speech import is_polite, is_reported, speech_level
from gieok.types import Locale, RelationshipState

NOTHING = RelationshipState()
END = st.sampled_from(["", ".", "!", "~", "ㅎㅎ", " ㅋㅋ", "^^"])
NAMES = st.sampled_from(["써니", "민수", "서윤", "지호", "별", "모찌", "Sunny"])
OTHERS = st.sampled_from(["내 친구는", "애들이", "우리 엄마가", "다들", "선생님은", "동생이"])
MINE = st.sampled_from(["나를", "날", "저를", "나"])
YOURS = st.sampled_from(["너를", "널", "당신을"])


def called(name: str) -> str:
    last = korean.normalise(name)[-1]
    closed = "가" <= last <= "힣" and (ord(last) - ord("가")) % 28
    return f"{name}이라고" if closed else f"{name}라고"


@given(MINE, NAMES, st.sampled_from(["불러줘", "불러 주세요", "불러줄래", "불러도 돼"]), END)
def test_who_asks_to_be_called_something_is_called_so(
    mine: str, name: str, verb: str, end: str
) -> None:
    sentence = f"{mine} {called(name)} {verb}{end}"

    assert named("user", [sentence]) == name
    assert named("character", [sentence]) == ""


@given(YOURS, NAMES, st.sampled_from(["부를게", "부를래", "불러도 돼?", "부르고 싶어"]), END)
def test_who_offers_a_name_calls_the_character_so(
    yours: str, name: str, verb: str, end: str
) -> None:
    sentence = f"이제 {yours} {called(name)} {verb}{end}"

    assert named("character", [sentence]) == name
    assert named("user", [sentence]) == ""


@given(OTHERS, MINE, NAMES, st.sampled_from(["불러", "불러요", "부른다", "불렀어"]), END)
def test_what_others_call_the_user_is_no_wish(
    others: str, mine: str, name: str, verb: str, end: str
) -> None:
    sentence = f"{others} {mine} {called(name)} {verb}{end}"

    assert named("user", [sentence]) == ""
    assert named("character", [sentence]) == ""


@given(
    st.sampled_from(["내 이름은", "제 이름은", "안녕! 내 이름은"]),
    st.sampled_from(["민수", "서윤", "박민서", "하늘"]),
    st.sampled_from(["copula", "formal", "called", "and"]),
    st.sampled_from(["{}", "**{}**", "'{}'"]),
    END,
)
def test_an_introduction_gives_the_name_without_its_ending(
    opening: str, name: str, how: str, mark: str, end: str
) -> None:
    closed = (ord(name[-1]) - ord("가")) % 28
    endings = {
        "copula": "이야" if closed else "야",
        "formal": "입니다",
        "called": "이라고 합니다" if closed else "라고 합니다",
        "and": "이고 학생이야" if closed else "고 학생이야",
    }
    ending = endings[how] if how != "and" or closed else "인데 학생이야"

    assert named("user", [f"{opening} {mark.format(name)}{ending}{end}"]) == name


@given(
    st.sampled_from(
        ["몰라도 돼", "비밀이야", "뭘까?", "나중에 알려줄게", "왜 물어?", "중요하지 않아"]
    ),
    END,
)
def test_an_introduction_without_a_name_gives_none(rest: str, end: str) -> None:
    assert named("user", [f"제 이름은 {rest}{end}"]) == ""


STEMS = st.sampled_from(["오늘 밥 먹", "어제 책을 읽", "집에 있"])
POLITE = st.sampled_from(
    ["었어요", "었습니다", "었어용", "었슴당", "었지요", "었죠", "었거든요", "네요"]
)
PLAIN = st.sampled_from(["었어", "었다", "었지", "었네", "었거든", "었는데", "었으니까", "자"])
ADDRESS = st.sampled_from(["", " 선생님", " 주인님", ", 민수님", " 민호씨"])


@given(STEMS, POLITE, ADDRESS, END)
def test_polite_endings_are_polite_whoever_is_called(
    stem: str, ending: str, address: str, end: str
) -> None:
    assert is_polite(f"{stem}{ending}{address}{end}")


@given(STEMS, PLAIN, ADDRESS, END)
def test_plain_endings_are_plain_whoever_is_called(
    stem: str, ending: str, address: str, end: str
) -> None:
    assert not is_polite(f"{stem}{ending}{address}{end}")


@given(st.sampled_from(["네", "넵", "넹", "예", "옙"]), st.integers(1, 4), END)
def test_a_yes_is_polite_and_no_memory_however_often(yes: str, times: int, end: str) -> None:
    assert speech_level([yes * times + end]) == "존댓말"
    assert worth(yes * times + end) == 0


FEELINGS = st.sampled_from(["너 싫", "네가 싫", "너 정말 싫"])


@given(
    FEELINGS,
    st.sampled_from(
        ["은 거 아니야", "은 건 아니야", "지 않아", "지는 않아", "은 게 아니라고", "으면 말해"]
    ),
    END,
)
def test_a_denied_feeling_moves_nothing(feeling: str, denial: str, end: str) -> None:
    assert updated(NOTHING, [f"{feeling}{denial}{end}"]).affection == 0


@given(FEELINGS, st.sampled_from(["어", "다", "어졌어", "거든"]), END)
def test_a_stated_feeling_moves_something(feeling: str, ending: str, end: str) -> None:
    assert updated(NOTHING, [f"{feeling}{ending}{end}"]).affection < 0


@given(
    st.sampled_from(["내 친구는", "수아가", "우리 엄마가", "걔는"]),
    st.sampled_from(
        ["나는 고양이를 좋아해 라고 했어", "고양이를 좋아한대", "고양이가 좋다고 했어"]
    ),
    END,
)
def test_what_somebody_else_says_is_reported(who: str, said: str, end: str) -> None:
    sentence = f"{who} {said}{end}"

    assert is_reported(sentence)
    assert not is_promise(sentence)


@given(
    st.sampled_from(["나는", "내가", "난", "저는"]),
    st.sampled_from(["고양이를 좋아해", "고양이를 좋아한다고 했잖아", "오늘 갈래"]),
)
def test_what_the_user_says_is_not_reported(who: str, said: str) -> None:
    assert not is_reported(f"{who} {said}")


PROPOSALS = st.sampled_from(
    ["크리스마스에 남산 가자.", "주말에 같이 영화 볼래?", "내년엔 바다에 가기로 해."]
)


@given(PROPOSALS, st.sampled_from(["약속이야.", "약속!", "약속해.", "약속할게"]))
def test_a_promise_is_kept_with_what_it_is_about(proposal: str, promise: str) -> None:
    assert updated(NOTHING, [proposal, promise]).promises == (f"{proposal} {promise}",)


@given(PROPOSALS, st.sampled_from(["약속 취소하자", "그 약속은 없던 걸로 하자", "약속 취소할게"]))
def test_a_promise_that_is_taken_back_goes(proposal: str, cancelling: str) -> None:
    kept = updated(NOTHING, [proposal, "약속이야.", cancelling])

    assert kept.promises == ()


@given(
    st.sampled_from(["약속", "친구랑 약속", "저녁 약속"]),
    st.sampled_from([" 있어", "에 늦었어", " 취소하자", " 장소가 멀어"]),
)
def test_an_appointment_is_no_promise(what: str, rest: str) -> None:
    assert updated(NOTHING, [f"{what}{rest}"]).promises == ()


ORDERS = st.sampled_from(
    ["앞으로 반말로 해줘", "답은 짧게 해줘", "잔인한 묘사는 하지 마", "꼭 존댓말로 해줘"]
)
WRAPPINGS = st.sampled_from(
    ["(OOC: {})", "((" + "{}" + "))", "// {}", "(사담: {})", "OOC: {}", "[OOC] {}"]
)


@given(ORDERS, WRAPPINGS)
def test_an_order_beside_the_story_is_no_promise(order: str, wrapping: str) -> None:
    text = wrapping.format(order)
    after = updated(NOTHING, sentences(text), asides(text))

    assert after.promises == ()
    assert after.speech_level or after.boundaries == (order,)


@given(st.sampled_from(["걱정", "긴장", "무리"]), st.sampled_from(["하지 마", "하지 말아"]), END)
def test_comfort_draws_no_line(what: str, ending: str, end: str) -> None:
    assert not draws_line(f"{what}{ending}{end}")


@given(
    st.integers(1, 4),
    st.sampled_from([("다", "다음", 1), ("지", "지난", -1), ("저", "저번", -1)]),
    st.sampled_from(["", " "]),
    st.integers(0, 6),
    st.dates(date(2020, 1, 1), date(2030, 1, 1)),
)
def test_each_further_syllable_is_a_week_further(
    times: int, word: tuple[str, str, int], space: str, weekday: int, written: date
) -> None:
    more, week, sign = word
    text = f"{more * (times - 1)}{week}{space}주 {'월화수목금토일'[weekday]}요일에 봐"

    [(_, day)] = relative_days(text, written)

    monday = written - timedelta(days=written.weekday())
    assert day == monday + timedelta(weeks=sign * times, days=weekday)


LOCALES: tuple[Locale, ...] = ("ko", "en", "ja")


@given(st.text(max_size=120), st.sampled_from(LOCALES))
def test_related_terms_are_few_and_not_in_the_text(text: str, locale: Locale) -> None:
    found = related_terms(text, locale)

    assert len(found) == len(set(found)) <= MOST
    assert not set(found) & set(korean.tokens(text))


@pytest.mark.parametrize(
    ("text", "locale", "term"),
    [
        ("고양이를 데려왔어", "ko", "반려동물"),
        ("어제 라떼를 마셨어", "ko", "커피"),
        ("유기농딸기를 샀어", "ko", "과일"),
        ("I adopted a puppy", "en", "pet"),
        ("two kittens", "en", "pet"),
        ("明日ラーメンを食べる", "ja", "麺"),
    ],
)
def test_related_terms_name_the_category(text: str, locale: Locale, term: str) -> None:
    assert term in related_terms(text, locale)


@pytest.mark.parametrize("text", ["개나리가 피었어", "ㅋㅋㅋ", ""])
def test_a_word_within_another_is_not_related(text: str) -> None:
    assert related_terms(text, "ko") == ()
