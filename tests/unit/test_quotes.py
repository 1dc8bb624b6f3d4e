"""Which words count as said: by who said them, with their negation."""

import pytest

from gieok.extraction.quotes import Transcript
from tests.support.prompt_samples import message


def says(line: str, quote: str) -> bool:
    return Transcript([message(line)]).find(quote, {"user"}) is not None


@pytest.mark.parametrize(
    ("line", "quote"),
    [
        ("나 어제 싱글몰트 위스키 선물 받았어!!", "싱글몰트위스키 선물"),
        ("나 어제 싱글몰트위스키 받았어", "싱글몰트 위스키 받았어"),
        ("민수가 게을러", "민수"),
        ("집에서부터는 걸었어", "집에서"),
        ("고마워 하늘아😭", "고마워 하늘아"),
        ("좋아해ㅋㅋㅋ", "좋아해"),
        ("IPHONE도 샀어", "iphone"),
        ("BTS콘서트 다녀왔어", "콘서트 다녀왔어"),
        ("3월15일에 만나", "15일"),
        ("12,000원이야", "12,000원"),
        ("the dog's name is Rex", "the dog"),
        ("I don’t like it, I love it", "I don't like it"),
        ("納豆が好き", "好き"),
        ("나는 커피를 안 좋아해", "커피를 안 좋아해"),
        ("너 그거 아니? 나 이사했어", "나 이사했어"),
        ("나오늘생일이야", "오늘 생일이야"),
    ],
)
def test_words_are_found_whatever_their_spelling_and_particles(line: str, quote: str) -> None:
    assert says(line, quote)


@pytest.mark.parametrize(
    ("line", "quote"),
    [
        ("그건진짜불가능하다고했어", "가능하다고 했어"),
        ("나는커피를안좋아한다니까", "좋아한다니까"),
        ("나는커피를좋아하지않아", "커피를 좋아하지"),
        ("I scamp about", "camp about"),
        ("…", "…"),
    ],
)
def test_the_rest_of_a_word_that_says_the_opposite_was_not_said(line: str, quote: str) -> None:
    assert not says(line, quote)


def test_a_quote_longer_than_any_was_not_said() -> None:
    assert says("가나다라" * 400, "가나다라" * 400)
    assert not says("가나다라" * 600, "가나다라" * 600)


CUT = [
    ("커피 안 좋아해", "좋아해"),
    ("커피를 안좋아해", "좋아해"),
    ("나는 커피를 안 마셔", "나는 커피를"),
    ("커피를 좋아하지 않아", "커피를 좋아하지"),
    ("커피를 좋아하지는 않아", "커피를 좋아하"),
    ("커피를 좋아하는 건 아니야", "커피를 좋아하는"),
    ("난 학생 아니야", "난 학생"),
    ("제주도에 가 본 적 없어", "제주도에 가 본"),
    ("수영 못 해", "해"),
    ("그 얘기 하지 마", "그 얘기 하지"),
    ("커피 말고 차 마셔", "커피"),
    ("I don't like coffee", "like coffee"),
    ("I dont really like coffee", "like coffee"),
    ("I've never been to Rome", "been to Rome"),
    ("I have no sister", "sister"),
    ("I do not live in Rome", "live in Rome"),
    ("coffee isn't my thing", "coffee"),
    ("my brother does not eat meat", "my brother"),
    ("納豆は好きじゃない", "納豆は好き"),
    ("納豆は食べない", "納豆は食べ"),
    ("我不喜欢咖啡", "喜欢咖啡"),
    ("i don't think i love him", "i love him"),
    ("i never said i love him", "i love him"),
    ("it's not like i hate him", "i hate him"),
    ("i don't know if i'm pregnant", "i'm pregnant"),
    ("i don't like my new job", "my new job"),
    ("i don't want you to go", "you to go"),
    ("아빠 안 와", "아빠"),
    ("배려 못 받았어", "배려"),
    ("운전 할 줄 몰라", "운전 할"),
    ("i don't like its color", "its color"),
    ("샤워 못 했어", "샤워"),
    ("소파 안 샀어", "소파"),
    ("이건 영어 아니야", "이건 영어"),
    ("갈 데 없어", "갈 데"),
    ("먹고 싶지 않아", "먹고 싶지"),
]


@pytest.mark.parametrize(("line", "quote"), CUT)
def test_words_cut_off_from_their_negation_were_not_said(line: str, quote: str) -> None:
    assert not says(line, quote)
    assert says(line, line)


@pytest.mark.parametrize(
    ("line", "quote"),
    [
        ("커피는 안 마시고 차를 좋아해", "차를 좋아해"),
        ("매일 수영을 해 안 힘들어", "매일 수영을 해"),
        ("안그래도 정형외과 갔는데 초기래", "정형외과 갔는데 초기래"),
        ("수술까진 안해도된대 니가 깨워줘서", "니가 깨워줘서"),
        ("그건 아니야. 나는 차를 마셔", "나는 차를 마셔"),
        ("No, I love tea", "I love tea"),
        ("no i love tea", "i love tea"),
        ("I don't drink coffee but I love tea", "I love tea"),
        ("not today. I went swimming", "I went swimming"),
        ("커피 안 좋아해. 차는 좋아해", "차는 좋아해"),
        ("안 좋아해. 아니 사실 좋아해", "좋아해"),
        ("can't believe i got the job", "i got the job"),
        ("i'm not okay my dog died", "my dog died"),
        ("not gonna lie i miss him", "i miss him"),
        ("don't tell anyone i'm pregnant", "i'm pregnant"),
        ("I didn't sleep I was so nervous", "I was so nervous"),
        ("never mind i found my keys", "i found my keys"),
        ("no way my sister is pregnant", "my sister is pregnant"),
        ("너무 배고파 못 참겠어", "너무 배고파"),
        ("졸려 못 하겠어", "졸려"),
        ("배불러 못 먹겠어", "배불러"),
        ("엄마 수술이래 못 갈듯", "엄마 수술이래"),
        ("i haven't eaten im so hungry", "im so hungry"),
        ("i'm never drinking again my head hurts", "my head hurts"),
        ("오늘 너무 추워 안 나갈래", "너무 추워"),
        ("아 너무 외로워 못 살겠다", "너무 외로워"),
        ("걔 진짜 나빠 안 볼거야", "걔 진짜 나빠"),
        ("떡볶이가 너무 땡겨 못 참고 시켰어", "떡볶이가 너무 땡겨"),
        ("오늘 첫출근이라 못 잤어", "오늘 첫출근이라"),
        ("그 카페 진짜 좋아했는데 없어졌더라", "그 카페 진짜 좋아했는데"),
        ("지금 좀 힘든데 아니야 괜찮아", "지금 좀 힘든데"),
        ("사귄지 100일인데 없던 일로 하자네", "사귄지 100일인데"),
    ],
)
def test_a_negation_of_something_else_takes_nothing_away(line: str, quote: str) -> None:
    assert says(line, quote)
