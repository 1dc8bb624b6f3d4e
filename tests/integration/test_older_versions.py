"""Relationship versions that tell neither what they were made from nor what the user gave.

The first release that kept quotes wrote them so. They count like newer ones, among which they are.
"""

from uuid import UUID

import pytest

from gieok.conversation.claim import cipher_of
from gieok.ids import new_id
from gieok.memories.read import delete_memory
from gieok.privacy.cells import relationship_cell
from gieok.relationship.corrections import correct
from gieok.store import keys
from gieok.store.relationships import Source
from gieok.types import RelationshipState, UserId
from tests.support.conversation import do_rewind, remember_idle, talk
from tests.support.derived import known, memory_ids, moving, stand
from tests.support.world import World, extraction, somebody

CALLS = "매일 전화하기"
FIRST = (
    '{"state":{"user_called":"","character_called":"","speech_level":"","standing":"",'
    '"promises":["매일 전화하기"],"boundaries":[],"affection":10},'
    '"quotes":[{"field":"promises","speaker":"user","text":"매일 전화하자"},'
    '{"field":"affection","speaker":"user","text":"좋아해"}],"held":[]}'
)
SECOND = (
    '{"state":{"user_called":"","character_called":"","speech_level":"","standing":"",'
    '"promises":["매일 전화하기"],"boundaries":[],"affection":20},'
    '"quotes":[{"field":"affection","speaker":"user","text":"사랑해"}],"held":[]}'
)
THIRD = (
    '{"state":{"user_called":"","character_called":"","speech_level":"","standing":"",'
    '"promises":[],"boundaries":[],"affection":30},'
    '"quotes":[{"field":"promises","speaker":"user","text":"이제 전화는 됐어"},'
    '{"field":"affection","speaker":"user","text":"고마워"}],"held":[]}'
)
CORRECTION = (
    '{"state":{"user_called":"자기","character_called":"","speech_level":"","standing":"",'
    '"promises":[],"boundaries":[],"affection":30},"quotes":[],"held":["user_called"]}'
)
RESTORED = (
    '{"state":{"user_called":"자기","character_called":"","speech_level":"","standing":"",'
    '"promises":["매일 전화하기"],"boundaries":[],"affection":20},'
    '"quotes":[{"field":"affection","speaker":"user","text":"사랑해"}],'
    '"held":["user_called","promises","affection"]}'
)


async def store(
    world: World,
    user: UserId,
    character: UUID,
    body: str,
    source: Source = "window",
    memory: UUID | None = None,
) -> None:
    """Store a body as the next version."""
    key = keys.read_user_key(user)
    found = (await world.engine.database.run(user, key))[key]
    cipher, version = await cipher_of(world.engine, user, found), new_id()
    await world.sql(
        "INSERT INTO memory.relationship_versions"
        " (id, user_id, character_id, version, body, source, memory_id)"
        " SELECT %s, %s, %s, 1 + count(*), %s, %s, %s"
        " FROM memory.relationship_versions WHERE user_id = %s",
        version, user, character, cipher.seal(relationship_cell(version), body), source, memory,
        user,
    )  # fmt: skip


async def three_windows(world: World, user: UserId, character: UUID) -> list[UUID]:
    """Three windows with a version each; their memories."""
    for said in ("하나", "둘", "셋"):
        await world.talk_and_remember(user, character, said)
    memories = await memory_ids(world, user, character)
    for memory, body in zip(memories, (FIRST, SECOND, THIRD), strict=True):
        await store(world, user, character, body, memory=memory)
    return memories


async def now(world: World, user: UserId, character: UUID) -> tuple[RelationshipState, set[str]]:
    """The state that stands, and what is held of it."""
    current = (await stand(world, user, character)).current
    assert current
    return current.relationship.state, set(current.relationship.held)


@pytest.mark.parametrize(("lost", "promises"), [(0, ()), (1, ()), (2, (CALLS,))])
async def test_the_rest_moves_affection_and_promises_as_far_as_it_did(
    world: World, lost: int, promises: tuple[str, ...]
) -> None:
    haru, user = await world.character(), somebody()
    memories = await three_windows(world, user, haru)
    await store(world, user, haru, CORRECTION, "user")
    world.speaker.extract = lambda p: moving(p, affection=known(p)["affection"] + 3)
    await world.talk_and_remember(user, haru, "보고 싶었어")
    await delete_memory(world.engine, user, memories[lost])
    wanted = RelationshipState(user_called="자기", promises=promises, affection=23)
    assert await now(world, user, haru) == (wanted, {"user_called"})


async def test_what_the_user_set_and_restored_is_as_it_was_and_held(world: World) -> None:
    haru, user = await world.character(), somebody()
    memories = await three_windows(world, user, haru)
    await store(world, user, haru, CORRECTION, "user")
    await store(world, user, haru, RESTORED, "restored", memories[1])
    await correct(world.engine, user, haru, {"boundaries": ("전 남친",)})
    await delete_memory(world.engine, user, memories[0])
    wanted = RelationshipState(
        user_called="자기", promises=(CALLS,), boundaries=("전 남친",), affection=20
    )
    held = {"user_called", "promises", "boundaries", "affection"}
    assert await now(world, user, haru) == (wanted, held)


async def test_a_version_was_made_from_the_one_that_stood_then(world: World) -> None:
    """Not from one that had been taken back before."""
    haru, user = await world.character(), somebody()
    await world.talk_and_remember(user, haru, "하나")
    session = await talk(world, user, haru, "둘", "셋")
    await remember_idle(world, user, haru)
    first, second = await memory_ids(world, user, haru)
    await store(world, user, haru, FIRST, memory=first)
    await store(world, user, haru, SECOND, memory=second)
    await do_rewind(world, user, session, "둘")
    world.speaker.extract = extraction
    await remember_idle(world, user, haru)
    *_, again = await memory_ids(world, user, haru)
    await store(world, user, haru, SECOND, memory=again)
    await delete_memory(world.engine, user, first)
    assert await now(world, user, haru) == (RelationshipState(affection=10), set())


async def test_a_later_rewind_leaves_what_the_others_did(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_remember(user, haru, "하나")
    session = await talk(world, user, haru, "둘", "셋")
    await remember_idle(world, user, haru)
    await world.talk_and_remember(user, haru, "넷")
    memories = await memory_ids(world, user, haru)
    for memory, body in zip(memories, (FIRST, SECOND, THIRD), strict=True):
        await store(world, user, haru, body, memory=memory)
    await do_rewind(world, user, session, "둘")
    assert await now(world, user, haru) == (RelationshipState(affection=20), set())


async def test_one_statement_that_ends_several_versions_leaves_one_to_be_made(
    world: World,
) -> None:
    haru, user = await world.character(), somebody()
    await three_windows(world, user, haru)
    end = (
        "UPDATE memory.relationship_versions SET invalidated_at = now()"
        " WHERE user_id = %s AND version = ANY (%s)"
    )
    empty = "SELECT version FROM memory.relationship_versions WHERE user_id = %s AND body = ''"
    await world.sql(end, user, [3])
    assert await world.sql(empty, user) == [], "nothing carries on what the newest said"
    await store(world, user, haru, THIRD)
    await world.sql(end, user, [1, 2])
    assert await world.sql(empty, user) == [(5,)]
    await world.sql(end, user, [1, 2])
    assert await world.sql(empty, user) == [(5,)], "they had ended already"
