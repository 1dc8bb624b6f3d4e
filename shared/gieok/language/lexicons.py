"""Words with which people answer without saying anything, in Korean, English and Japanese.

They are tokens as `korean.tokens` gives them, and each stands in one list only. A module that uses
them adds the words that its own question needs.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


YES = _words(
    """
    그래 그래요 그럼 그럼요 당연 당연하지 당연히 당연하죠 맞아 맞아요 맞습니다 맞지 그치 그렇지
    그쵸 그렇죠 완전 yes yeah yep yup yea sure right correct exactly indeed definitely
    absolutely course はい うん ええ そう そうです そうだよ
    """
)
"""Words that say yes to a question that asked for it."""

ACKNOWLEDGING = _words(
    """
    응 웅 엉 어 네 넵 넹 예 옙 맞네 인정 좋아 좋아요 좋네 좋지 알았어 알았어요 알겠어 알겠어요
    알겠습니다 그렇구나 그렇군 그렇군요 그러게 그러게요 그러니까 물론 오케이 오키 오켕 오케 콜
    ok okay okey k kk true fine great good nice cool mhm uh huh そっか
    """
)
"""Words that say that the message was heard, and perhaps that its hearer agrees."""

DENYING = _words("아니 아니야 아니요 아뇨 아냐 no nope nah いや")
UNSURE = _words("글쎄 글쎄요 몰라 몰라요 모르겠어 maybe")
EXCLAIMING = _words(
    """
    음 흠 아 아하 오 오오 와 우와 헉 헐 앗 대박 역시 레알 진짜 진짜로 정말 정말로 oh ah aha hm
    hmm hell heck wow lol omg lmao haha hahaha hehe really well へえ
    """
)
BACK_CHANNELS = YES | ACKNOWLEDGING | DENYING | UNSURE | EXCLAIMING
"""Words that tell the other one to go on. A message of nothing else has no topic of its own."""

THANKING = _words(
    """
    고마워 고마워요 고맙습니다 땡큐 감사 감사해요 감사합니다 미안 미안해 미안해요 죄송해요
    죄송합니다 thanks thank you thx ty sorry
    """
)
"""Words that thank and words that apologise."""
