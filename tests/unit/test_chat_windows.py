"""What becomes of a good answer to a real chat: everything of it stands."""

import pytest

from gieok.errors import ModelMalformed
from gieok.extraction.answer import in_words_that_were_said, read, shortcomings
from gieok.extraction.extraction import Extraction
from gieok.extraction.window_context import WindowContext
from gieok.language.detection import prevailing
from gieok.types import Relationship, RelationshipState
from tests.support.prompt_samples import answer, context_of, detail, fact, message
from tests.support.window_summaries import CHATS, Chat

EACH = pytest.mark.parametrize("chat", CHATS.values(), ids=CHATS.keys())
ELSEWHERE = "summary: not about what was said in the window"


def kept(chat: Chat, text: str) -> Extraction:
    return in_words_that_were_said(read(text, of(chat)), of(chat))


def of(chat: Chat) -> WindowContext:
    return context_of(chat.messages, chat.cast)


@EACH
def test_a_good_answer_stands_whole(chat: Chat) -> None:
    found = read(chat.answer(), of(chat))
    assert not any(found.dropped.values()), found.dropped
    assert [f.text for f in found.facts] == [f["text"] for f in chat.good["facts"]]
    assert [d.text for d in found.details] == [d["text"] for d in chat.good["key_details"]]
    assert ELSEWHERE not in shortcomings(found, of(chat))
    assert in_words_that_were_said(found, of(chat)) == found


@EACH
def test_the_summary_of_another_chat_is_never_written_beside_good_facts(chat: Chat) -> None:
    summaries = (other.good["summary"] for other in CHATS.values() if other is not chat)
    language = prevailing(chat.good["summary"])
    for wrong in (s for s in summaries if prevailing(s) == language):
        assert kept(chat, chat.answer(summary=wrong)).summary != wrong


AFRAID = "사용자는 하루와 여행 이야기를 나누고 무기력함을 호소했다."
SAD = (
    message("사실 나 조현병 진단받았어"),
    message("말해줘서 고마워.", "assistant", "하루"),
    message("죽고싶단 생각도 했어"),
)
SAD_QUOTES = [detail("사실 나 조현병 진단받았어"), detail("죽고싶단 생각도 했어")]
REWORDED = "사용자는 정신 건강 문제를 털어놓았고 극단적인 마음까지 들었다고 고백했다."


def sad(*terms: str) -> Extraction:
    said = answer(summary=REWORDED, key_details=SAD_QUOTES, search_terms=list(terms))
    return in_words_that_were_said(read(said, context_of(SAD, ["하루"])), context_of(SAD, ["하루"]))


def test_the_users_words_stand_for_a_summary_each_once_and_as_quotes() -> None:
    assert sad().summary == "“사실 나 조현병 진단받았어” “죽고싶단 생각도 했어”"
    chat = next(iter(CHATS.values()))
    twice = [fact(quote="걍 퇴사할까봐"), fact("퇴사한다", quote="퇴사할까봐")]
    found = kept(chat, chat.answer(summary="제주도에 갔다.", key_details=[], facts=twice))
    assert found.summary == "“걍 퇴사할까봐”"


def test_a_characters_invention_never_stands_for_a_summary() -> None:
    invented = "너 어릴 때 부산에서 살았잖아"
    said = (
        message("오늘 그냥 누워만 있었어"),
        message(f"{invented}, 바다 보러 갈까?", "assistant", "하루"),
        message("글쎄"),
    )
    theirs, own = detail(invented, who="하루", character=None), detail("그냥 누워만 있었어")
    found = read(answer(summary=AFRAID, key_details=[theirs, own]), context_of(said, ["하루"]))
    assert (
        in_words_that_were_said(found, context_of(said, ["하루"])).summary == "“그냥 누워만 있었어”"
    )


def test_terms_that_were_said_and_broad_ones_stay_and_no_sensitive_word_is_added() -> None:
    assert sad("건강", "제주도", "진단").search_terms == ("건강", "진단")
    assert sad("건강", "비밀").search_terms == ("건강",)


def test_only_without_any_term_left_the_users_words_become_terms() -> None:
    assert "조현병" in sad("제주도").search_terms


def test_what_the_user_is_called_tells_nothing_at_any_step() -> None:
    said = (message("써니라고 불러 줘서 고마워"), message("응 써니야", "assistant", "하루"))
    before = {"하루": Relationship(RelationshipState(user_called="써니"))}
    text = answer(summary="써니는 제주도에 갔다.", key_details=[detail("불러 줘서 고마워")])
    found = read(text, context_of(said, ["하루"], before))
    assert ELSEWHERE in shortcomings(found, context_of(said, ["하루"], before))
    assert (
        "제주도" not in in_words_that_were_said(found, context_of(said, ["하루"], before)).summary
    )


def test_a_fact_of_a_character_founds_nothing() -> None:
    said = (message("글쎄"), message("나는 부산에서 자랐어", "assistant", "하루"))
    its = fact("하루는 자랐다.", subject={"kind": "character", "name": "하루"}, quote="부산에서")
    with pytest.raises(ModelMalformed):
        read(answer(summary="둘은 제주도에 갔다.", facts=[its]), context_of(said, ["하루"]))
