"""What is recalled reaches the prompt: all of it, dated, and read as it was meant."""

from datetime import timedelta
from functools import partial

from gieok.calls import StructuredPrompt
from gieok.prompt.memory_block import MemoryLine, read_memory_lines
from infra.local.servers.retelling import retold
from tests.support.conversation import generate_idle, talk
from tests.support.prompt_samples import detail
from tests.support.world import World, extraction, somebody

CONFESSION = "사실 나 너를 좋아해, 오래전부터 말하고 싶었어"
DAYS = [
    (
        f"{n}번째 출근길에 새로 산 자전거를 타고 한강을 건너서 회사까지 갔어",
        f"점심에는 동료 {n}명이랑 회사 앞 새로 생긴 국숫집에서 들깨칼국수를 먹었어",
        "오후에는 그림책 편집 회의가 길어져서 저녁 약속을 다음 주로 미뤘어",
        "퇴근하고 망원시장에 들러서 두부랑 애호박을 사 왔는데 값이 많이 올랐더라",
        "집에 오니까 고양이가 문 앞까지 마중을 나와 있어서 하루 피로가 풀렸어",
    )
    for n in range(20)
]


def as_models_write(prompt: StructuredPrompt, importance: int) -> str:
    """An answer with a summary of real length and three quotes."""
    told = extraction(prompt, importance=importance)
    return retold(prompt.payload, told)


def shown(world: World) -> list[MemoryLine]:
    """The memories in the last prompt, oldest first."""
    return [
        line
        for section in world.speaker.prompts[-1].sections
        if section.name == "memories"
        for line in read_memory_lines(section.text)
    ]


async def test_twelve_memories_of_real_length_reach_the_prompt_and_a_confession_with_them(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    for messages in ((CONFESSION, *DAYS[0][1:]), *DAYS):
        importance = 10 if messages[0] == CONFESSION else 5
        world.speaker.extract = partial(as_models_write, importance=importance)
        await world.talk_and_generate(user, haru, *messages)
    told = await world.say(user, haru, "요즘 자전거 타고 국숫집 가는 거 어때?")
    lines = shown(world)
    assert told.meta.memory_hit_count == len(told.meta.memories) == len(lines) == 12
    assert 250 <= sorted(len(line.summary) for line in lines)[6] <= 400
    assert any(CONFESSION in line.summary for line in lines)
    assert [cut for cut in told.meta.memory_cuts if cut.summary == "left_out"] == []
    slots = {slot.name: slot for slot in told.meta.slots}
    assert (slots["memories"].kept, slots["memories"].cut) == (12, 0)
    assert slots["memories"].tokens <= world.engine.policy.prompt.memories


async def test_what_was_said_to_another_character_is_not_read_as_said_to_this_one(
    world: World,
) -> None:
    sky, sea, user = await world.character("하늘"), await world.character("바다"), somebody()
    await world.say(user, (sky, sea), "바다야, 너한테만 말하는데 좋아해")
    said = {"바다": "너한테만 말하는데 좋아해", "하늘": "좋아해"}
    world.speaker.extract = lambda p: extraction(
        p, key_details=[detail(text, character=name) for name, text in said.items()]
    )
    await generate_idle(world, user, sky, sea)
    await world.say(user, sky, "내가 좋아한다고 했던 거 기억해?")
    (line,) = shown(world)
    assert "사용자 → 바다: “너한테만 말하는데 좋아해”" in line.sub_lines
    assert "사용자: “좋아해”" in line.sub_lines
    assert "  · [관련자: " in world.speaker.prompts[-1].system


async def test_a_memory_carries_the_days_from_its_first_message_to_its_last(world: World) -> None:
    haru, user = await world.character(), somebody()
    session = await talk(world, user, haru, "자격증 공부를 시작했어", "이제 시험을 봤어")
    await world.sql(
        "UPDATE chat.messages m SET created_at = m.created_at - %s FROM chat.turns t"
        " WHERE t.user_id = m.user_id AND t.id = m.turn_id AND t.session_id = %s AND t.number = 1",
        timedelta(days=40),
        session,
    )
    await generate_idle(world, user, haru)
    ((days,),) = await world.sql(
        "SELECT happened_at::date - began_at::date FROM memory.memories WHERE user_id = %s", user
    )
    assert days == 40
    await world.say(user, haru, "자격증 시험 어땠지?")
    (line,) = shown(world)
    assert "–" in line.days
