"""What holds of the block of memories, whatever is remembered, by whom, and in how much room."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.prompt import fence, memory_block, tokens
from gieok.prompt.memory_block import LEAST_SUMMARY, Frame, MemoryBlock, MemoryLine, Shown
from gieok.prompt.relative_time import ago, days, zone
from gieok.prompt.shorten import shares, shortened
from gieok.types import Explanation, KeyDetail, Locale, Memory, Recalled
from tests.support.prompt_samples import NOW

LOCALES: list[Locale] = ["ko", "en", "ja"]
WORDS = st.sampled_from(["고양이가", "cat", "猫が", "<b>", "(어제)", "😀", "3.5", "Mr.", "ㅋㅋㅋ"])
ENDS = st.sampled_from([". ", "! ", "。", "?” ", " ", "\n", "… "])
SENTENCE = st.tuples(st.lists(WORDS, min_size=1, max_size=30).map(" ".join), ENDS).map("".join)
SUMMARY = st.lists(SENTENCE, min_size=1, max_size=12).map("".join)
NAMES = ["하늘", "바다", "산"]
CAST = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True).map(tuple)
DETAIL = st.builds(
    KeyDetail,
    kind=st.sampled_from(["quote", "action"]),
    who=st.sampled_from(["user", *NAMES]),
    text=SUMMARY,
    context=st.sampled_from(["", "산책하며"]),
    character=st.sampled_from([None, *NAMES]),
)


@st.composite
def recalled(draw: st.DrawFn) -> Recalled:
    """A memory as a recall finds it."""
    ended = NOW - timedelta(hours=draw(st.integers(0, 20_000)))
    memory = Memory(
        id=uuid4(),
        summary=draw(SUMMARY),
        details=tuple(draw(st.lists(DETAIL, max_size=3))),
        importance=5,
        involved=draw(CAST),
        began_at=ended - timedelta(hours=draw(st.integers(0, 2_000))),
        happened_at=ended,
        created_at=ended,
    )
    return Recalled(memory, Explanation(draw(st.sampled_from(["fused", "importance"])), 1, 1))


MEMORIES = st.lists(recalled(), max_size=12)
FRAMES = st.builds(Frame, st.just(NOW), st.just(zone("Asia/Seoul")), st.sampled_from(LOCALES), CAST)
ROOMS = st.integers(0, 4_000)
OVERHEAD, LONGEST_HEAD = 150, 60
"""Tokens of a block without memories, and of a memory's date and names, at most."""


@settings(deadline=None)
@given(MEMORIES, FRAMES, ROOMS)
def test_the_block_takes_no_more_than_its_room(
    memories: list[Recalled], frame: Frame, room: int
) -> None:
    block = memory_block.write(memories, frame, room)
    assert [shown.recalled for shown in block.recalled] == memories
    if oldest_first(block):
        assert tokens.estimate(block.text) <= room


@settings(deadline=None)
@given(MEMORIES, FRAMES, ROOMS)
def test_all_are_in_as_long_as_there_is_room_for_the_least_of_each(
    memories: list[Recalled], frame: Frame, room: int
) -> None:
    block = memory_block.write(memories, frame, room)
    if room >= OVERHEAD + len(memories) * (LEAST_SUMMARY + LONGEST_HEAD):
        assert [shown for shown in block.recalled if shown.left_out] == []
    claims = sorted(block.recalled, key=lambda shown: shown.recalled.why.slot != "importance")
    left_out = [shown.left_out for shown in claims]
    assert left_out == sorted(left_out), "who has the first claim is left out last"


@settings(deadline=None)
@given(MEMORIES, FRAMES, ROOMS)
def test_details_take_no_room_from_any_summary(
    memories: list[Recalled], frame: Frame, room: int
) -> None:
    block = memory_block.write(memories, frame, room)
    bare = memory_block.write([without_details(m) for m in memories], frame, room)
    assert [line.summary for line in read(block)] == [line.summary for line in read(bare)]
    assert [shown.summary for shown in block.recalled] == [s.summary for s in bare.recalled]


@settings(deadline=None)
@given(MEMORIES, FRAMES, ROOMS, st.integers(0, 12))
def test_details_of_the_worse_take_no_room_from_those_of_the_better(
    memories: list[Recalled], frame: Frame, room: int, rank: int
) -> None:
    block = memory_block.write(memories, frame, room)
    better = [*memories[:rank], *map(without_details, memories[rank:])]
    alone = memory_block.write(better, frame, room)
    assert block.recalled[:rank] == alone.recalled[:rank]


@settings(deadline=None)
@given(MEMORIES, FRAMES, ROOMS)
def test_a_summary_is_whole_or_its_beginning_up_to_a_sentence_or_an_ellipsis(
    memories: list[Recalled], frame: Frame, room: int
) -> None:
    block = memory_block.write(memories, frame, room)
    for shown, line in zip(oldest_first(block), read(block), strict=True):
        whole = fence.quoted(shown.recalled.memory.summary)
        assert (line.summary == whole) == (shown.summary == "whole")
        assert whole.startswith(line.summary.removesuffix("…"))
        if shown.summary == "shortened":
            assert line.summary.rstrip("\"'”’)]」』）").endswith((".", "!", "?", "…", "。"))


@settings(deadline=None)
@given(MEMORIES, FRAMES, ROOMS)
def test_they_stand_oldest_first_and_each_is_dated(
    memories: list[Recalled], frame: Frame, room: int
) -> None:
    block = memory_block.write(memories, frame, room)
    standing = [shown.recalled.memory for shown in oldest_first(block)]
    now, where, locale = frame.now, frame.zone, frame.locale
    assert [(line.when, line.days) for line in read(block)] == [
        (
            ago(memory.happened_at, now, where, locale),
            days(memory.began_at, memory.happened_at, now, where, locale),
        )
        for memory in standing
    ]


@settings(deadline=None)
@given(MEMORIES, FRAMES)
def test_others_who_were_there_are_named_and_whom_words_were_for_if_not_the_one_who_speaks(
    memories: list[Recalled], frame: Frame
) -> None:
    block = memory_block.write(memories, frame, 100_000)
    for shown, item in zip(oldest_first(block), fence.unwrap(block.text), strict=True):
        memory = shown.recalled.memory
        others = len(frame.cast) > 1 or bool(set(memory.involved) - set(frame.cast))
        assert item.lines[:1] == (f"[{frame.text.involved}: {', '.join(memory.involved)}]",) or (
            not others
        )
        said = item.lines[others:]
        for detail, line in zip(memory.details, said, strict=True):
            speaks_now = frame.cast == (detail.character,)
            named = detail.character is not None and not speaks_now
            assert f" → {detail.character}" in line.partition(":")[0] or not named


@settings(deadline=None)
@given(MEMORIES, FRAMES, ROOMS)
def test_a_memory_takes_what_its_lines_take_and_says_what_is_missing(
    memories: list[Recalled], frame: Frame, room: int
) -> None:
    block = memory_block.write(memories, frame, room)
    costs = list[int]()
    for line in block.text.split("\n"):
        if line.startswith("- "):
            costs.append(0)
        if line.startswith(("- ", "  · ")):
            costs[-1] += tokens.estimate(f"{line}\n")
    assert sorted(shown.tokens for shown in oldest_first(block)) == sorted(costs)
    for shown in block.recalled:
        assert shown.tokens <= shown.tokens_whole
        assert shown.cut == (shown.tokens != shown.tokens_whole)


@given(st.lists(st.integers(0, 500), max_size=12), st.integers(0, 4_000))
def test_shares_fill_the_room_and_no_need_is_cut_below_another_share(
    needs: list[int], room: int
) -> None:
    given_to = shares(needs, room)
    assert all(share <= need for share, need in zip(given_to, needs, strict=True))
    assert sum(given_to) <= room
    cut = [share for share, need in zip(given_to, needs, strict=True) if share < need]
    if cut:
        assert sum(given_to) == room
        assert max(given_to) - min(cut) <= 1


@given(SUMMARY.map(fence.quoted), st.integers(0, 300), st.integers(0, 300))
def test_more_room_never_shows_less(text: str, less: int, more: int) -> None:
    less, more = sorted((less, more))
    one, two = shortened(text, less), shortened(text, more)
    assert tokens.estimate(one) <= less
    assert len(one.removesuffix("…")) <= len(two)


def without_details(recalled: Recalled) -> Recalled:
    """The same memory without its quotes and actions."""
    return replace(recalled, memory=replace(recalled.memory, details=()))


def read(block: MemoryBlock) -> list[MemoryLine]:
    """The memories that the block shows."""
    return memory_block.read_memory_lines(block.text)


def oldest_first(block: MemoryBlock) -> list[Shown]:
    """What is in the block, in the order in which it stands."""
    kept = (shown for shown in block.recalled if not shown.left_out)
    return sorted(kept, key=lambda s: (s.recalled.memory.happened_at, s.recalled.memory.id.bytes))
