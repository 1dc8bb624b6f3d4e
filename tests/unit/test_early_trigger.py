"""Decisions, promises and standing wishes are recognised, small talk that looks alike is not."""

from unicodedata import normalize

import pytest

from gieok.generation.early_trigger import Statement, statement_in

STATED: list[tuple[str, Statement]] = [
    ("강아지 이름은 콩이로 하자", "decision"),
    ("여행지는 강릉으로 하자!", "decision"),
    ("DB는 PostgreSQL로 결정했어", "decision"),
    ("그럼 토요일 3시로 정했다. 늦지 마", "decision"),
    ("우리 내년에 결혼하기로 했어", "decision"),
    ("배포는 금요일로 확정", "decision"),
    ("Let's go with the blue one", "decision"),
    ("ok, let’s stick with Rust then.", "decision"),
    ("We've decided to move to Busan", "decision"),
    ("犬の名前はコンにしよう", "decision"),
    ("来年引っ越すことにした", "decision"),
    ("내일 꼭 전화할게", "promise"),
    ("이번엔 진짜 약속할게요", "promise"),
    ("다시 안 그런다고 약속해 줘", "promise"),
    ("I promise I'll call you tomorrow", "promise"),
    ("必ず行くって約束する", "promise"),
    ("반말로 해 줘, 항상", "preference"),
    ("앞으로는 민지라고 불러", "preference"),
    ("앞으로 나를 자기라고 불러 줄래?", "preference"),
    ("이제부터 존댓말 쓰지 마", "preference"),
    ("다시는 그 사람 얘기 하지 마", "preference"),
    ("항상 세 줄로 대답해", "preference"),
    ("Always answer in Korean, please", "preference"),
    ("Please never bring up my ex.", "preference"),
    ("From now on call me MJ", "preference"),
    ("これからはミンジって呼んで", "preference"),
    ("いつも敬語で話してください", "preference"),
    ("오늘 힘들었어. 앞으로는 반말로 얘기해 줘. 알겠지?", "preference"),
    ("점심 먹었어? 아 그리고 이름은 콩이로 하자.", "decision"),
    (normalize("NFD", "앞으로는 영어로 해 줘"), "preference"),
]
NOT_STATED = [
    "",
    "오늘 날씨 좋다",
    "이름 뭐로 할까?",
    "어디로 갈까",
    "아직 결정 못 했어",
    "그걸로 결정 안 했는데",
    "결정 장애 왔어",
    "우리 어디 가기로 했었지?",
    "강릉으로 하자고 했었나?",
    "약속 시간에 늦었어",
    "오늘 저녁에 약속 있어",
    "항상 고마워",
    "늘 보고 싶어",
    "나 항상 늦게 자",
    "항상 나한테 잘해 줘서 고마워",
    "앞으로 어떻게 될까?",
    "앞으로 가 줘",
    "조금만 앞으로 와 줘",
    "꼭 그런 건 아니야",
    "꼭 사야 할 게 있어",
    "마늘 좀 사다 줘",
    "Let's go!",
    "let's see what happens",
    "I haven't decided on a name",
    "Have you decided on a name?",
    "You promised!",
    "I can't promise anything",
    "I always sleep late",
    "Always a pleasure",
    "never mind",
    "Never been there",
    "You never call me",
    "いつもありがとう",
    "いつも呼んでくれてありがとう",
    "どこにしようか",
    "約束の時間に遅れた",
]


@pytest.mark.parametrize(("message", "kind"), STATED)
def test_what_is_stated_is_recognised(message: str, kind: Statement) -> None:
    assert statement_in(message) == kind


@pytest.mark.parametrize("message", NOT_STATED)
def test_what_only_looks_like_it_is_not(message: str) -> None:
    assert statement_in(message) is None
