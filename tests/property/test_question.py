"""Laws of the retrieval query."""

from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.policy import RecallPolicy
from gieok.recall.question import SHORT, WIDENED, retrieval_query

POLICY = RecallPolicy()
WORDS = st.sampled_from(
    ["그거", "응", "아까", "걔", "부산", "여행", "ㅋㅋ", "ok", "that", "말고", " ", "?"]
)
MESSAGE = st.lists(WORDS, max_size=8).map(" ".join) | st.text(max_size=300)
BEFORE = st.lists(MESSAGE, max_size=4)


@settings(deadline=None, max_examples=300)
@given(MESSAGE, BEFORE)
def test_the_message_is_always_last_and_the_query_bounded(message: str, before: list[str]) -> None:
    query = retrieval_query(message, before, POLICY)
    alone = message.strip()
    assert query.endswith(alone)
    assert len(query) <= max(WIDENED, len(alone))
    if len(alone) >= SHORT:
        assert query == alone


@settings(deadline=None)
@given(MESSAGE, BEFORE, st.integers(1, 200))
def test_a_query_is_never_longer_than_the_policy_says(
    message: str, before: list[str], most: int
) -> None:
    assert len(retrieval_query(message, before, RecallPolicy(query_chars=most))) <= most


@settings(deadline=None)
@given(MESSAGE, BEFORE)
def test_what_is_put_in_front_was_said_in_the_last_two_messages(
    message: str, before: list[str]
) -> None:
    query = retrieval_query(message, before, POLICY)
    front = query.removesuffix(message.strip()).strip()
    assert front in " ".join(said.strip() for said in before[-2:])


@settings(deadline=None)
@given(
    st.sampled_from(["부산", "떡볶이", "두부", "재즈"]),
    BEFORE,
    st.sampled_from(["응 ", "그럼 ", ""]),
)
def test_a_new_topic_brings_no_context(topic: str, before: list[str], opening: str) -> None:
    assert retrieval_query(opening + topic, before, POLICY) == opening + topic
