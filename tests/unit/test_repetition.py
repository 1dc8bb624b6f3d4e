"""What counts as saying the same again, and what must not."""

from itertools import permutations

import pytest

from gieok.language.repetition import near_repeat, repeats

WAYS_TO_SAY_IT = """
오늘도 커피 마셨어, 역시 커피가 최고야
오늘도 커피 마셨어! 역시 커피가 최고야ㅋㅋ
오늘도 커피 마셨다 역시 커피가 최고야
오늘도 커피를 마셨어, 역시 커피가 최고다
오늘 또 커피 마셨어. 역시 커피는 최고야
오늘도 커피 마셨지 역시 커피가 최고!
오늘도 커피 마셨음 역시 커피가 최고임
오늘도 커피 마셨어요, 역시 커피가 최고예요
오늘도 난 커피 마셨어 역시 커피가 진짜 최고야
역시 커피가 최고야 오늘도 마셨어
오늘도 커피 마셨는데 역시 커피가 최고더라
커피 오늘도 마셨어~ 역시 커피가 최고지
""".strip().splitlines()

OTHER_THINGS = """
아침마다 커피 내려 마시는 게 낙이야
오늘 새로 생긴 카페에서 라떼 마셨어
커피 원두를 에티오피아로 바꿨어
회사 커피머신이 고장 나서 커피를 못 마셨어
친구랑 커피 마시면서 이직 얘기했어
커피를 네 잔이나 마셨더니 잠이 안 와
엄마가 커피잔 세트를 선물해 줬어
커피 쏟아서 노트북 고장 났어
나는 커피에 설탕 안 넣어
나는 커피에 설탕 넣어
아이스 커피만 마셔
겨울에도 아이스 커피 마셔
커피값이 또 올랐어
커피 마시고 배 아팠어
동생은 커피 냄새도 싫어해
드립 커피 배우러 다녀
커피 대신 차 마셨어
오늘은 커피 두 잔 마셨어
오늘은 커피 세 잔 마셨어
오늘도 커피 마셨어, 근데 맛없었어
나 커피 좋아해
나 커피 안 좋아해
나 딸기 알레르기 있어
나 땅콩 알레르기 있어
의사 선생님이 커피 끊으래서 이제 디카페인만 마시기로 했어
오늘 점심에 김치찌개 먹었어
오늘 점심에 김치볶음밥 먹었어
오늘 저녁에 김치찌개 먹었어
내일 3시에 치과 가
내일 4시에 치과 가
수아가 결혼한대
수아가 이혼한대
수아랑 싸웠어
수아랑 화해했어
민수가 준한테 돈 빌려줬어
준이 민수한테 돈 빌려줬어
""".strip().splitlines()
"""Much about coffee, and pairs that differ in one noun, number, negation or role."""


def test_one_thing_said_in_many_ways_is_said_once() -> None:
    assert repeats(WAYS_TO_SAY_IT) == [0] * 12


def test_what_is_only_similar_stays_apart() -> None:
    texts = [*OTHER_THINGS, WAYS_TO_SAY_IT[0]]
    assert [pair for pair in permutations(texts, 2) if near_repeat(*pair)] == []


def test_copies_stand_behind_the_newest_and_what_changed_stands_by_itself() -> None:
    changed = "의사 선생님이 커피 끊으래서 이제 디카페인만 마시기로 했어"
    assert repeats([changed, *WAYS_TO_SAY_IT]) == [0] + [1] * 12
    assert repeats([*WAYS_TO_SAY_IT, changed]) == [0] * 12 + [12]


@pytest.mark.parametrize(
    ("older", "newer", "same"),
    [
        ("콩이를 병원에 데려갔어", "콩을 병원에 데려갔어요", True),
        ("콩이가 아파", "공이가 아파", False),
        ("동생은 고3이야", "동생은 고2야", False),
        ("병원비 3만 원 냈어", "병원비 4만 원 냈어", False),
        ("시험 붙었어", "시험 못 붙었어", False),
        ("준이 좋아", "준이 좋지 않아", False),
        ("민수가 준한테 돈 빌려줬어", "준이 민수한테 돈 빌려줬어", False),
        ("커피 마셨어", "커피 마셨어 근데 배가 아파", False),  # too much is new
        ("커피 마셨어 근데 배가 아파", "커피 마셨어", False),  # something would be lost
        ("Had coffee today. Coffee is the best!", "I had a coffee today, coffee is best", True),
        ("I like coffee", "I don't like coffee", False),
        ("응 그래", "응 그치", False),
        ("ㅋㅋㅋ", "ㅋㅋㅋ", True),
        ("", "커피 마셨어", False),
    ],
)
def test_a_newer_text_stands_for_an_older_one_that_it_says_all_of(
    older: str, newer: str, same: bool
) -> None:
    assert near_repeat(older, newer) is same
