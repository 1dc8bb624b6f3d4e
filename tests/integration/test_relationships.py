"""Relationship versions on a real database: the words behind them, races, and what is lost."""

import asyncio
import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from gieok.calls import StructuredPrompt
from gieok.ids import new_id
from gieok.relationship.corrections import correct, read_relationship
from gieok.store import facts, relationships
from gieok.store.sealed import NewRelationship, SealedFact
from gieok.types import Scope
from tests.support.derived import NOTHING, counts, memory_ids, moving, stand
from tests.support.meanwhile import until_it_waits
from tests.support.world import World, somebody

CALL_ME = "민지라고 불러줘"


async def test_a_version_keeps_the_words_behind_what_it_changed(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = lambda p: moving(p, user_called="민지", standing="친한 친구")
    await world.talk_and_generate(user, haru, CALL_ME)
    current = (await stand(world, user, haru)).current
    assert current
    assert (current.number, current.source) == (1, "window")
    assert current.relationship.state.user_called == "민지"
    assert {q.field for q in current.relationship.quotes} == {"user_called", "standing"}
    assert {(q.speaker, q.text) for q in current.relationship.quotes} == {("user", CALL_ME)}


async def test_a_change_without_words_in_this_window_is_not_made_and_is_counted(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = lambda p: moving(p, "사귀자", user_called="여보", affection=9)
    await world.talk_and_generate(user, haru, "오늘은 날씨가 좋네")
    assert (await stand(world, user, haru)).current is None
    assert '"extraction_changes_dropped":[2.0]' in capsys.readouterr().out


async def test_a_correction_beside_a_window_loses_neither(world: World) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = lambda p: moving(p, user_called="민지", standing="친구")

    async def correct_once(prompt: StructuredPrompt) -> None:
        if len(world.speaker.extractions) == 1:
            await correct(world.engine, user, haru, {"user_called": "지은"})

    world.speaker.during_extraction = correct_once
    await world.say(user, haru, "우리 친구 하자")
    world.clock.ahead = timedelta(hours=3)
    assert await world.generate(user, haru) == ["superseded", "written", "not_due"]
    history = await stand(world, user, haru)
    assert [v.source for v in history.versions] == ["window", "user"]
    assert history.current
    state = history.current.relationship.state
    assert (state.user_called, state.standing) == ("지은", "친구")
    assert len(await memory_ids(world, user, haru)) == 1


async def test_a_window_that_was_shown_an_older_version_writes_nothing(world: World) -> None:
    """Whoever wrote the newer one did not see the fence: it was being made at the same time."""
    haru, user = await world.character(), somebody()
    await correct(world.engine, user, haru, {"affection": 1})
    world.speaker.extract = lambda p: moving(p, standing="친구")

    async def unseen(prompt: StructuredPrompt) -> None:
        if len(world.speaker.extractions) == 1:
            fences = await world.sql("SELECT version FROM memory.pairs WHERE user_id = %s", user)
            await correct(world.engine, user, haru, {"user_called": "지은"})
            await world.sql(
                "UPDATE memory.pairs SET version = %s WHERE user_id = %s", fences[0][0], user
            )

    world.speaker.during_extraction = unseen
    await world.say(user, haru, "우리 친구 하자")
    world.clock.ahead = timedelta(hours=3)
    assert await world.generate(user, haru) == ["superseded", "written", "not_due"]
    current = (await stand(world, user, haru)).current
    assert current
    state = current.relationship.state
    assert (state.user_called, state.standing, state.affection) == ("지은", "친구", 1)


async def test_windows_of_two_casts_at_once_lose_no_change_of_a_shared_character(
    world: World,
) -> None:
    user, haru, bada = somebody(), await world.character("하루"), await world.character("바다")
    casts: Sequence[tuple[UUID, ...]] = ((haru,), tuple(sorted((haru, bada))))
    both, started = asyncio.Event(), 0

    async def together(prompt: StructuredPrompt) -> None:
        nonlocal started
        started += 1
        if started == 2:
            both.set()
        await both.wait()

    def promising(prompt: StructuredPrompt) -> str:
        payload = json.loads(prompt.payload)
        said = payload["messages"][0]["text"]
        before = (payload["relationship_state"]["하루"] or NOTHING)["promises"]
        return moving(prompt, promises=[*before, said])

    world.speaker.during_extraction, world.speaker.extract = together, promising
    for number, cast in enumerate(casts):
        await world.say(user, cast, f"{number}번째 약속이야")
    world.clock.ahead = timedelta(hours=3)
    outcomes = await asyncio.gather(*(world.generate(user, *cast) for cast in casts))
    assert sorted(o.count("written") for o in outcomes) == [1, 1]
    assert sum(o.count("superseded") for o in outcomes) == 1
    history = await stand(world, user, haru)
    assert history.current
    promises = history.current.relationship.state.promises
    assert sorted(promises) == ["0번째 약속이야", "1번째 약속이야"]
    assert [v.number for v in history.versions] == [2, 1]


async def test_corrections_and_windows_all_at_once_lose_nothing(world: World) -> None:
    user, haru, bada = somebody(), await world.character("하루"), await world.character("바다")
    casts: Sequence[tuple[UUID, ...]] = ((haru,), tuple(sorted((haru, bada))))
    world.speaker.extract = lambda p: moving(p, standing="친구")
    for cast in casts:
        await world.say(user, cast, "우리 친구 하자")
    world.clock.ahead = timedelta(hours=3)
    corrections: list[dict[Any, Any]] = [
        {"user_called": "지은"},
        {"character_called": "하루야"},
        {"speech_level": "반말"},
        {"promises": ("별 보기",)},
        {"boundaries": ("전 남친",)},
        {"affection": 77},
    ]
    await asyncio.gather(
        *(correct(world.engine, user, haru, given) for given in corrections),
        *(world.generate(user, *cast) for cast in casts),
    )
    for cast in casts:  # a worker that was superseded again and again left a hint
        await world.generate(user, *cast)
    history = await stand(world, user, haru)
    assert history.current
    wanted = {k: v for given in corrections for k, v in given.items()} | {"standing": "친구"}
    state = history.current.relationship.state
    assert {f: getattr(state, f) for f in wanted} == wanted
    assert [v.number for v in history.versions] == list(range(len(history.versions), 0, -1))
    assert len(await memory_ids(world, user, haru)) == 2


async def test_who_writes_a_version_waits_for_whoever_holds_the_fence(world: World) -> None:
    haru, user = await world.character(), somebody()
    await correct(world.engine, user, haru, {"affection": 1})
    connection = await psycopg.AsyncConnection.connect(world.admin_url)
    async with connection:
        await connection.execute(
            "SELECT FROM memory.pairs WHERE user_id = %s AND character_ids = %s FOR UPDATE",
            (user, [haru]),
        )
        await connection.execute(
            "INSERT INTO memory.relationship_versions (id, user_id, character_id, version, body)"
            " SELECT id, user_id, character_id, 2, body FROM memory.relationship_versions"
            " WHERE user_id = %s",
            (user,),
        )
        waiting = asyncio.create_task(correct(world.engine, user, haru, {"user_called": "지은"}))
        await until_it_waits(world, waiting)
        await connection.commit()
    await waiting
    history = await stand(world, user, haru)
    assert [v.number for v in history.versions] == [3, 2, 1]
    assert history.current
    assert history.current.relationship.state.affection == 1


async def test_a_batch_that_runs_twice_writes_everything_once(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, "우리 친구 하자")
    (memory_id,) = await memory_ids(world, user, haru)
    version = NewRelationship(new_id(), haru, b"body")
    sealed = SealedFact(new_id(), haru, new_id(), "event", "user", "real", 1, b"content", b"print")
    for _ in range(2):
        await world.worker.database.run(
            user,
            relationships.save_relationships(Scope(user, (haru,)), memory_id, [version]),
            facts.save_facts(user, memory_id, [sealed]),
        )
    assert await counts(world, user) == (1, 1)


async def test_a_version_that_cannot_be_read_is_left_out_and_can_be_corrected(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    haru, user = await world.character(), somebody()
    await correct(world.engine, user, haru, {"affection": 5})
    await world.sql("UPDATE memory.relationship_versions SET body = 'x' WHERE user_id = %s", user)
    history = await stand(world, user, haru)
    assert (history.current, history.versions) == (None, ())
    assert "undecryptable_relationship" in capsys.readouterr().out
    await correct(world.engine, user, haru, {"affection": 7})
    assert [v.number for v in (await stand(world, user, haru)).versions] == [2]


async def test_versions_come_in_pages(world: World) -> None:
    haru, user = await world.character(), somebody()
    for affection in range(1, 6):
        await correct(world.engine, user, haru, {"affection": affection})
    page = await read_relationship(world.engine, user, haru, None, 2)
    rest = await read_relationship(world.engine, user, haru, page.cursor, 3)
    assert [v.number for v in (*page.versions, *rest.versions)] == [5, 4, 3, 2, 1]
    assert (page.cursor, rest.cursor) == (4, None)
    assert rest.current == page.current
