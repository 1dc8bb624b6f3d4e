"""From conversation to memory, on a real database."""

import asyncio
import json
from datetime import timedelta

from gieok.calls import StructuredPrompt
from gieok.conversation.sessions import end_session
from gieok.errors import ModelRateLimited
from gieok.ids import new_id
from gieok.memories.read import list_memories
from gieok.types import Scope
from tests.support.world import World, extraction, somebody


async def rows(world: World, user: str) -> list[tuple[int, int]]:
    """(seq, importance) of a user's memories."""
    found = await world.sql(
        "SELECT mc.seq, m.importance FROM memory.memory_characters mc"
        " JOIN memory.memories m ON m.id = mc.memory_id WHERE mc.user_id = %s ORDER BY mc.seq",
        user,
    )
    return [(int(a), int(b)) for a, b in found]


async def test_five_settled_messages_become_one_memory(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = None
    for number in range(6):
        told = await world.say(user, haru, f"내 {number}번째 비밀은 {number * 7}이야", session)
        session = told.session_id
    assert await world.generate(user, haru) == ["written", "not_due"]
    (memory,) = (await list_memories(world.engine, user, haru, None, None, 10)).items
    assert "4번째 비밀은 28" in memory.summary
    assert "5번째" not in memory.summary, "the newest exchange may still change"
    assert memory.details[0].who == "user"
    assert await rows(world, user) == [(1, 5)]


async def test_fewer_than_five_are_not_due_until_the_session_ends(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = (await world.say(user, haru, "짧은 이야기")).session_id
    assert await world.generate(user, haru) == ["not_due"]
    await end_session(world.engine, user, session)
    assert world.hints.sent[-1][0].user_id == user
    assert await world.generate(user, haru) == ["written", "not_due"]


async def test_an_idle_session_is_flushed_whatever_its_count(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.say(user, haru, "한마디만 할게")
    world.clock.ahead = world.engine.policy.generation.idle_after
    assert await world.generate(user, haru) == ["written", "not_due"]


async def test_a_large_backlog_becomes_windows_of_five_oldest_first(world: World) -> None:
    haru, user = await world.character(), somebody()
    for number in range(27):
        await world.say(user, haru, f"{number}번째 이야기")
    world.clock.ahead = timedelta(hours=3)
    assert await world.generate(user, haru) == ["written"] * 5
    assert world.hints.sent[-1] == (Scope(user, (haru,)), 0), "who has to look again is told"
    assert await world.generate(user, haru) == ["written", "not_due"]
    told = (await list_memories(world.engine, user, haru, None, None, 10)).items
    said = [[f"{n}번째 이야기" for n in range(k, min(k + 5, 27))] for k in range(0, 27, 5)]
    assert [m.summary for m in reversed(told)] == [" ".join(window) for window in said]
    assert [seq for seq, _ in await rows(world, user)] == [1, 2, 3, 4, 5, 6]


async def test_the_same_hint_ten_times_and_from_two_workers_is_one_memory(world: World) -> None:
    haru, user = await world.character(), somebody()
    for number in range(5):
        await world.say(user, haru, f"{number}번째 이야기")
    world.clock.ahead = timedelta(hours=3)
    outcomes = await asyncio.gather(*(world.generate(user, haru) for _ in range(10)))
    assert sum(o.count("written") for o in outcomes) == 1
    assert len(await rows(world, user)) == 1


async def test_without_redis_two_workers_at_once_still_make_one_memory(
    world_without_redis: World,
) -> None:
    world = world_without_redis
    haru, user = await world.character(), somebody()
    for number in range(5):
        await world.say(user, haru, f"{number}번째 이야기")
    world.clock.ahead = timedelta(hours=3)
    outcomes = await asyncio.gather(*(world.generate(user, haru) for _ in range(6)))
    assert sum(o.count("written") for o in outcomes) == 1
    assert len(await rows(world, user)) == 1
    assert len(world.speaker.extractions) > 1, "more than one worker did the work"


async def test_nothing_worth_keeping_moves_the_start_of_the_next_window(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.say(user, haru, "응")
    world.clock.ahead = timedelta(hours=3)
    world.speaker.extract = lambda p: extraction(p, worth_keeping=False)
    assert await world.generate(user, haru) == ["skipped", "not_due"]
    assert await world.generate(user, haru) == ["not_due"]
    assert not await rows(world, user)
    world.speaker.extract = extraction
    world.clock.ahead = timedelta()
    await world.say(user, haru, "진짜 할 말")
    world.clock.ahead = timedelta(hours=3)
    await world.generate(user, haru)
    (memory,) = (await list_memories(world.engine, user, haru, None, None, 10)).items
    assert memory.summary == "진짜 할 말"


async def test_nonsense_is_repaired_once(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.say(user, haru, "할 말이 있어")
    world.clock.ahead = timedelta(hours=3)
    answers = iter(["이건 JSON이 아니야", None])

    def first_nonsense(prompt: StructuredPrompt) -> str:
        return next(answers) or extraction(world.speaker.extractions[0])

    world.speaker.extract = first_nonsense
    assert await world.generate(user, haru) == ["written", "not_due"]
    assert len(world.speaker.extractions) == 2


async def test_a_valid_answer_stands_when_its_repair_cannot_be_had(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.say(user, haru, "할 말이 있어")
    world.clock.ahead = timedelta(hours=3)

    def once(prompt: StructuredPrompt) -> str:
        if len(world.speaker.extractions) > 1:
            raise ModelRateLimited("m")
        return extraction(prompt, key_details=[])

    world.speaker.extract = once
    assert await world.generate(user, haru) == ["written", "not_due"]


async def test_nonsense_twice_fails_the_window_and_it_is_there_for_the_retry(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.say(user, haru, "할 말이 있어")
    world.clock.ahead = timedelta(hours=3)
    world.speaker.extract = lambda p: "[]"
    assert await world.generate(user, haru) == ["failed"]
    assert not await rows(world, user)
    usage = await world.sql(
        "SELECT count(*) FROM ops.usage WHERE user_id = %s AND task = 'EXTRACTION'", user
    )
    assert usage == [(2,)]
    world.speaker.extract = extraction
    world.clock.ahead = timedelta(hours=4)
    assert await world.generate(user, haru) == ["written", "not_due"]


async def test_a_character_without_a_detail_is_asked_for_once_then_accepted(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.say(user, haru, "할 말이 있어")
    world.clock.ahead = timedelta(hours=3)
    world.speaker.extract = lambda p: extraction(world.speaker.extractions[0], key_details=[])
    assert await world.generate(user, haru) == ["written", "not_due"]
    assert len(world.speaker.extractions) == 2
    assert (
        "하루" in world.speaker.extractions[1].payload + world.speaker.extractions[1].instructions
    )


async def test_a_memory_without_a_vector_is_stored_all_the_same(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.say(user, haru, "할 말이 있어")
    world.clock.ahead = timedelta(hours=3)
    world.embedder.error = ModelRateLimited("e")
    assert await world.generate(user, haru) == ["written", "not_due"]
    found = await world.sql(
        "SELECT embedded FROM memory.memory_characters WHERE user_id = %s", user
    )
    assert found == [(False,)]


async def test_a_shared_memory_has_its_own_place_in_each_relationship(world: World) -> None:
    user = somebody()
    haru, bada = await world.character("하루"), await world.character("바다")
    for cast in ((haru,), tuple(sorted((haru, bada)))):
        await world.say(user, cast, "기억해 줘")
        world.clock.ahead = timedelta(hours=3)
        assert await world.generate(user, *cast) == ["written", "not_due"]
        world.clock.ahead = timedelta()
    places = await world.sql(
        "SELECT character_id, seq FROM memory.memory_characters WHERE user_id = %s", user
    )
    assert sorted(places) == sorted([(haru, 1), (haru, 2), (bada, 1)])


async def test_what_was_said_to_one_alone_is_not_in_the_memory_of_the_group(world: World) -> None:
    user = somebody()
    haru, bada = await world.character("하루"), await world.character("바다")
    await world.say(user, haru, "하루에게만 하는 말")
    await world.say(user, tuple(sorted((haru, bada))), "둘에게 하는 말")
    world.clock.ahead = timedelta(hours=3)
    await world.generate(user, haru, bada)
    (shared,) = (await list_memories(world.engine, user, bada, None, None, 10)).items
    assert "하루에게만" not in shared.summary
    assert shared.involved == ("하루", "바다") or shared.involved == ("바다", "하루")


async def test_relationship_state_is_shown_to_the_next_extraction_and_bounded(world: World) -> None:
    haru, user = await world.character(), somebody()
    state = {
        "character": "하루",
        "user_called": "민지",
        "character_called": "하루",
        "speech_level": "반말",
        "standing": "가" * 900,
        "promises": ["토요일에 같이 영화 보기"] * 9,
        "boundaries": [],
        "affection": 100,
        "changes": [
            {"field": field, "speaker": "user", "quote": "우리 반말하자"}
            for field in ("user_called", "speech_level", "standing", "promises", "affection")
        ],
    }
    world.speaker.extract = lambda p: extraction(p, relationship_states=[state])
    for _ in range(2):
        await world.talk_and_generate(user, haru, "우리 반말하자")
    shown = json.loads(world.speaker.extractions[-1].payload)["relationship_state"]["하루"]
    assert shown["user_called"] == "민지"
    assert len(shown["standing"]) <= 600
    assert len(shown["promises"]) <= 5
    assert shown["affection"] == 10, "it moves at most 10 a window"
    await world.say(user, haru, "나 누구게?")
    assert any("민지" in s.text for s in world.speaker.prompts[-1].sections)


async def test_nothing_is_due_for_someone_who_never_spoke(world: World) -> None:
    assert await world.generate(somebody(), await world.character()) == ["not_due"]
    assert await world.generate(somebody(), new_id()) == ["not_due"]
