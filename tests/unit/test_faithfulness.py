"""Whether a summary is of its window, and in its language."""

import pytest

from gieok.extraction.content_words import Said
from gieok.extraction.extraction import Extraction
from gieok.extraction.faithfulness import LEAST_SAID, foreign_fields, is_about
from gieok.types import KeyDetail, Message
from tests.support.prompt_samples import context_of, message
from tests.support.window_summaries import BAD, GOOD, said_in

CAST = ("하루", "모찌")
QUOTED = (KeyDetail("quote", "user", "위스키 받았어"),)


def window(*lines: str) -> list[Message]:
    return [message(line) for line in lines]


def of(summary: str, details: tuple[KeyDetail, ...] = ()) -> Extraction:
    return Extraction(worth_keeping=True, summary=summary, details=details)


def share(lines: list[str], summary: str) -> float:
    said, told = Said(lines).count(summary, CAST)
    return said / told


@pytest.mark.parametrize("place", GOOD)
def test_a_good_summary_rewords_its_window_and_is_kept(place: tuple[int, int, int]) -> None:
    assert is_about(of(GOOD[place]), context_of(window(*said_in(place)), CAST))


def test_a_memory_of_something_else_is_refused_whatever_word_it_shares() -> None:
    kept = [s for lines, s in BAD if is_about(of(s, QUOTED), context_of(window(*lines), CAST))]
    assert kept == []


def test_good_and_bad_lie_on_both_sides_of_the_threshold_with_room_between() -> None:
    good = [share(said_in(place), GOOD[place]) for place in GOOD]
    bad = [share(lines, summary) for lines, summary in BAD]
    assert min(good) >= LEAST_SAID + 0.05
    assert max(bad) <= LEAST_SAID - 0.05


def test_what_an_earlier_good_summary_says_among_much_else_is_refused() -> None:
    places = list(GOOD)
    mixed = f"{GOOD[places[0]].split('.')[0]}. {GOOD[places[4]]} {GOOD[places[8]]}"
    assert not is_about(of(mixed), context_of(window(*said_in(places[0])), CAST))


def test_names_of_those_who_talk_tell_nothing() -> None:
    said = window("하루야 지은이 왔어")
    assert not is_about(
        of("지은은 하루에게 제주도 여행 계획을 말했다."), context_of(said, ("하루", "지은"))
    )


def test_words_of_another_language_are_not_looked_up_and_need_a_quote_that_stands() -> None:
    said = window("오늘 위스키 받았어", "기분이 정말 좋더라")
    assert is_about(of("The user was given whisky.", QUOTED), context_of(said, CAST))
    assert not is_about(of("The user was given whisky."), context_of(said, CAST))
    assert is_about(
        of("사용자는 위스키를 받았다. The user was given whisky."), context_of(said, CAST)
    )
    assert not is_about(
        of("사용자는 제주도에 갔다. The user was given whisky.", QUOTED), context_of(said, CAST)
    )


def test_one_shared_word_alone_is_never_enough() -> None:
    said = window("민수는 진짜 게을러", "나는 매일 아침 수영을 해")
    swims = (KeyDetail("quote", "user", "매일 아침 수영을 해"),)
    assert not is_about(of("사용자는 민수와 약속했다."), context_of(said, CAST))
    assert is_about(of("민수는 게으르다."), context_of(said, CAST)) is False
    assert is_about(of("민수는 게으르다.", swims), context_of(said, CAST))


def test_a_back_channel_is_no_quote_to_go_by() -> None:
    said = window("응", "오늘 위스키 받았어")
    agreed = (KeyDetail("quote", "user", "응"),)
    assert not is_about(of("The user was given whisky.", agreed), context_of(said, CAST))


@pytest.mark.parametrize(
    ("said", "summary", "foreign"),
    [
        ("오늘 위스키를 선물 받아서 기분이 좋아", "The user got whisky from a friend.", True),
        ("오늘 위스키를 선물 받아서 기분이 좋아", "The user told 하늘 about 위스키 today.", True),
        ("오늘 위스키를 받아서 좋아", "사용자는 기뻐했다. The user was given whisky.", True),
        ("오늘 위스키를 선물 받아서 기분이 좋아", "지은은 위스키를 받았다.", False),
        ("Spring Boot로 backend를 짰어", "사용자는 Spring Boot로 backend를 짰다.", False),
        ("나 NewJeans Hype Boy 듣는 중인데 좋아", "NewJeans Hype Boy 들음.", False),
        ("I got a bottle of whisky today", "사용자는 위스키를 받았다.", True),
        ("I got 위스키 today 진짜 good", "The user got whisky.", False),
        ("今日ウイスキーをもらったんだ", "사용자는 위스키를 받았다.", True),
        ("ㅋㅋㅋ 위스키", "위스키", False),
        ("...", "The user was silent.", False),
    ],
)
def test_text_in_another_language_than_the_conversation_is_named(
    said: str, summary: str, foreign: bool
) -> None:
    assert foreign_fields(of(summary), context_of(window(said))) == (
        ("summary",) if foreign else ()
    )
