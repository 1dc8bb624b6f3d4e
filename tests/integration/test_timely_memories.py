"""Memories come soon after their fifth message, also for clients that never end a session."""

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

import pytest

from gieok.adapters.sqs_queue import SqsQueue
from gieok.calls import StructuredPrompt
from gieok.errors import ModelUnavailable
from gieok.generation.generate import generate
from gieok.types import Scope
from tests.support.conversation import summaries
from tests.support.passing_time import PassingTime
from tests.support.stack import Stack
from tests.support.world import World, extraction, somebody

SOON_S = 120 + 30
"""The time to settle, and what the way through the queue may take."""


def away_until(time: PassingTime, end: float) -> Callable[[StructuredPrompt], str]:
    """A model that answers 503 until a moment."""

    def answer(prompt: StructuredPrompt) -> str:
        if time.now < end:
            raise ModelUnavailable("m", "503")
        return extraction(prompt)

    return answer


@pytest.mark.parametrize("pause", [1, 10, 25, 50])
@pytest.mark.parametrize("sessions", [1, 2, 99])
async def test_every_window_is_a_memory_soon_after_its_fifth_message(
    world: World, sessions: int, pause: int
) -> None:
    haru, user = await world.character(), somebody()
    time, said, talks = PassingTime(world, user), list[float](), dict[int, UUID]()
    for number in range(30):
        talk = number % sessions
        told = await world.say(user, haru, f"{number}번째 이야기", talks.get(talk))
        talks[talk] = told.session_id
        said.append(time.now)
        await time.go_on(pause)
    await time.go_on(600)
    fifths = said[4::5]
    assert len(time.made) == 6
    assert all(m - s <= SOON_S for s, m in zip(fifths, time.made, strict=True)), time.made
    assert time.looks <= 3 * 6, "hints don't multiply"


async def test_a_burst_of_fifteen_is_three_memories(world: World) -> None:
    haru, user = await world.character(), somebody()
    time = PassingTime(world, user)
    for number in range(15):
        await world.say(user, haru, f"{number}번째 이야기")
    await time.go_on(600)
    said = [" ".join(f"{n}번째 이야기" for n in range(k, k + 5)) for k in (0, 5, 10)]
    assert await summaries(world, user, haru) == said


async def test_an_outage_of_two_minutes_changes_no_window(world: World) -> None:
    made = []
    for outage in (0, 120):
        haru, user = await world.character(), somebody()
        time, session = PassingTime(world, user), None

        world.speaker.extract = away_until(time, outage)
        for number in range(23):
            session = (await world.say(user, haru, f"친구{number}", session)).session_id
            await time.go_on(1)
        await time.go_on(3_600)
        await time.go_on(3_700)
        await world.generate(user, haru)  # the sweep's hint
        made.append(await summaries(world, user, haru))
    assert made[0] == made[1]
    assert [len(m.split()) for m in made[1]] == [5, 5, 5, 5, 3]


async def test_a_failed_tail_is_not_joined_by_what_came_before_its_retry(world: World) -> None:
    haru, user = await world.character(), somebody()
    time, session = PassingTime(world, user), None
    for number in range(3):
        session = (await world.say(user, haru, f"{number}번", session)).session_id
    await time.go_on(7_300)
    world.speaker.extract = lambda p: "[]"
    assert await world.generate(user, haru) == ["failed"]
    for number in range(3, 9):
        await world.say(user, haru, f"{number}번", session)
    world.speaker.extract = extraction
    await time.go_on(600)
    assert await summaries(world, user, haru) == ["0번 1번 2번", "3번 4번 5번 6번 7번"]


async def test_the_worker_hints_itself_once_over_sqs_for_what_will_settle(
    world: World, stack: Stack
) -> None:
    haru, user = await world.character(), somebody()
    for number in range(5):
        await world.say(user, haru, f"{number}번")
    client, url = stack.services.aws.sqs(), stack.services.queue().url
    worker = replace(world.worker, queue=SqsQueue(lambda: client, url))
    for _ in range(4):
        assert await generate(worker, Scope(user, (haru,))) == ["not_due"]
    asked = client.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    assert asked["ApproximateNumberOfMessagesDelayed"] == "1"
    assert asked["ApproximateNumberOfMessages"] == "0"


async def test_a_hint_of_the_worker_that_could_not_be_sent_is_sent_by_the_next_look(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    for number in range(5):
        await world.say(user, haru, f"{number}번")
    world.hints.sent.clear()
    world.hints.down = True
    assert await world.generate(user, haru) == ["not_due"]
    world.hints.down = False
    assert await world.generate(user, haru) == ["not_due"]
    assert [scope.user_id for scope, _ in world.hints.sent] == [user]


async def test_four_messages_are_not_waited_for(world: World) -> None:
    haru, user = await world.character(), somebody()
    for number in range(4):
        await world.say(user, haru, f"{number}번")
    world.hints.sent.clear()
    assert await world.generate(user, haru) == ["not_due"]
    assert world.hints.sent == []
