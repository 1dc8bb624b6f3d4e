"""The user's clock: a message without a time zone is of where the user was last known to be."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from gieok.errors import BadRequest
from gieok.prompt.relative_time import zone
from gieok.recall.preview import preview
from gieok.store import turns
from gieok.types import Scope, UserId
from tests.support.conversation import answer_to
from tests.support.world import World, somebody

NEW_YORK, SEOUL = "America/New_York", "Asia/Seoul"


async def zones(world: World, user: UserId) -> list[str | None]:
    """Those of the user's turns, oldest first."""
    of = "SELECT time_zone FROM chat.turns WHERE user_id = %s ORDER BY position"
    return [zone for (zone,) in await world.sql(of, user)]


class Stopped:
    """A quarter past eleven in the evening of Seoul, and a morning in New York."""

    def now(self) -> datetime:
        return datetime(2026, 12, 1, 14, 15, tzinfo=UTC)


@pytest.fixture(autouse=True)
def stopped(world: World) -> None:
    world.engine = replace(world.engine, clock=Stopped())


def clock(world: World) -> str:
    """What the last prompt says of the time."""
    prompt = world.speaker.prompts[-1]
    said = [s.text for s in prompt.sections] + [text for _, text in prompt.turns]
    (line,) = re.findall(r"지금: (.+)", "\n".join(said))
    return str(line)


async def test_a_zone_that_was_told_once_holds_for_what_comes_after(world: World) -> None:
    haru, bada, user = await world.character(), await world.character("바다"), somebody()
    world.time_zone = NEW_YORK
    first = await world.say(user, haru, "안녕")
    world.time_zone = None
    await world.say(user, haru, "내일 뭐 하지", first.session_id)
    here = clock(world)
    await world.say(user, bada, "안녕, 처음이야")
    assert await zones(world, user) == [NEW_YORK] * 3
    world.time_zone = SEOUL
    await world.say(user, haru, "돌아왔어", first.session_id)
    assert clock(world) != here
    world.time_zone = None
    await world.say(user, bada, "여기도")
    assert (await zones(world, user))[-2:] == [SEOUL] * 2


async def test_a_reroll_is_of_where_its_message_was_sent_from(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.time_zone = NEW_YORK
    told = await world.say(user, haru, "안녕")
    first = clock(world)
    world.time_zone = SEOUL
    await world.say(user, haru, "서울이야", told.session_id)
    world.time_zone = None
    await world.reroll(user, await answer_to(world, user, told.session_id, "안녕"))
    assert clock(world) == first
    assert await zones(world, user) == [NEW_YORK, SEOUL]


async def test_nobody_knows_the_zone_of_a_first_message(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.time_zone = None
    await world.say(user, haru, "안녕")
    assert await zones(world, user) == [None]
    unknown = clock(world)
    world.time_zone = world.engine.policy.time_zone
    await world.say(user, haru, "안녕")
    assert clock(world) == unknown


async def test_a_preview_is_of_the_zone_that_its_turn_would_have(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.time_zone = NEW_YORK
    await world.say(user, haru, "안녕")
    read = turns.read_time_zone(user)
    assert (await world.engine.database.run(user, read))[read] == NEW_YORK
    for given in (None, SEOUL):
        assert (
            await preview(world.engine, Scope(user, (haru,)), "나비?", given, None)
        ).memories == ()


@pytest.mark.parametrize(
    "name",
    ["localtime", "posixrules", "Factory", "posix/Asia/Seoul", "right/UTC", "", "KST+9", "../UTC"],
)
def test_what_is_no_place_on_earth_is_refused(name: str) -> None:
    with pytest.raises(BadRequest):
        zone(name)


@pytest.mark.parametrize("name", ["Asia/Seoul", "UTC", "Etc/GMT-9", "America/Argentina/Ushuaia"])
def test_places_are_known_by_their_iana_names(name: str) -> None:
    assert datetime(2026, 12, 1, tzinfo=UTC).astimezone(zone(name)).tzname()
