"""Recall on a real database: exact, inside its scope on every rung of the ladder of fallbacks."""

import asyncio
import math
from collections.abc import Sequence

import pytest

from gieok.calls import ModelChoice
from gieok.errors import ModelTimeout
from gieok.ids import parse
from gieok.memories.delete import delete_memory
from gieok.memories.read import list_memories
from gieok.recall.prepare import Prepared, embed_question
from gieok.recall.recall import query_for
from gieok.store import keys, operations
from gieok.types import Scope, UserId
from tests.support.speakers import Hashes
from tests.support.vectors import VECTORS
from tests.support.world import Told, World, extraction, somebody

RUNGS = ["whole", "no vector", "no keyword", "neither"]


def on_rung(world: World, rung: str) -> None:
    """Take away what the rung lacks."""
    world.embedder.error = None if rung in ("whole", "no keyword") else ModelTimeout("e")


def question(rung: str) -> str:
    """A question that the keyword leg can use, or one that it cannot."""
    return "콩이 산책은 어땠어?" if rung in ("whole", "no vector") else "???!"


def summaries(world: World) -> str:
    """The memories section of the last prompt."""
    return "\n".join(s.text for s in world.speaker.prompts[-1].sections if s.name == "memories")


@pytest.mark.parametrize("rung", RUNGS)
async def test_a_new_session_is_given_what_an_older_one_left(world: World, rung: str) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, "우리 강아지 콩이랑 산책했어")
    on_rung(world, rung)
    told = await world.say(user, haru, question(rung))
    assert told.meta.new_session
    assert told.meta.memory_hit_count == 1
    assert "콩이" in summaries(world)
    assert told.meta.recall == ("ok" if rung in ("whole", "no keyword") else "degraded")


@pytest.mark.parametrize("rung", RUNGS)
async def test_no_rung_crosses_a_user_or_a_character(world: World, rung: str) -> None:
    haru, bada, user = await world.character(), await world.character("바다"), somebody()
    secret = "콩이 산책은 비밀이야"
    world.speaker.extract = lambda p: extraction(p, importance=10)
    await world.talk_and_generate(user, haru, secret)
    on_rung(world, rung)
    for asker, character in ((somebody(), haru), (user, bada), (somebody(), bada)):
        told = await world.say(asker, character, question(rung))
        assert told.meta.memory_hit_count == 0
        assert "비밀이야" not in str(world.speaker.prompts[-1])


@pytest.mark.parametrize("rung", RUNGS)
@pytest.mark.parametrize("state", ["muted_at", "invalidated_at"])
async def test_no_rung_recalls_what_is_muted_or_invalidated(
    world: World, rung: str, state: str
) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = lambda p: extraction(p, importance=10)
    await world.talk_and_generate(user, haru, "콩이 산책은 비밀이야")
    await world.sql(f"UPDATE memory.memories SET {state} = now() WHERE user_id = %s", user)
    on_rung(world, rung)
    told = await world.say(user, haru, question(rung))
    assert told.meta.memory_hit_count == 0


@pytest.mark.parametrize("rung", RUNGS)
async def test_no_rung_recalls_what_is_deleted(world: World, rung: str) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, "콩이 산책은 비밀이야")
    (memory,) = (await list_memories(world.engine, user, haru, None, None, 10)).items
    await delete_memory(world.engine, user, memory.id)
    on_rung(world, rung)
    told = await world.say(user, haru, question(rung))
    assert told.meta.memory_hit_count == 0
    assert await world.sql("SELECT FROM memory.memory_characters WHERE user_id = %s", user) == []


async def test_a_row_that_cannot_be_decrypted_is_dropped_and_said(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, "콩이 산책 하나")
    await world.talk_and_generate(user, haru, "콩이 산책 둘")
    await world.sql(
        "UPDATE memory.memories SET summary = '\\x01020304' WHERE user_id = %s"
        " AND id = (SELECT max(id::text)::uuid FROM memory.memories WHERE user_id = %s)",
        user,
        user,
    )
    told = await world.say(user, haru, "콩이 산책은 어땠어?")
    assert (told.meta.recall, told.meta.recall_reason) == ("degraded", "undecryptable")
    assert told.meta.memory_hit_count == 1


async def test_a_ciphertext_moved_from_another_row_never_reaches_a_prompt(world: World) -> None:
    haru, user, other = await world.character(), somebody(), somebody()
    await world.talk_and_generate(other, haru, "남의 비밀 이야기")
    await world.talk_and_generate(user, haru, "콩이 산책 이야기")
    await world.sql(
        "UPDATE memory.memories SET summary ="
        " (SELECT summary FROM memory.memories WHERE user_id = %s) WHERE user_id = %s",
        other,
        user,
    )
    told = await world.say(user, haru, "콩이 산책 이야기?")
    assert told.meta.memory_hit_count == 0
    assert "남의 비밀" not in str(world.speaker.prompts[-1])


@pytest.mark.parametrize(
    "asked", ["한시우가 뭐라고 했지?", "한시우 기억나?", "한시우한테 뭘 줬지?"]
)
@pytest.mark.parametrize("stored", ["한시우", "한시우가", "한시우랑"])
async def test_the_keyword_leg_finds_a_name_on_both_sides_of_a_particle(
    world: World, asked: str, stored: str
) -> None:
    haru, user = await world.character(), somebody()
    world.speaker.extract = lambda p: extraction(p, search_terms=[stored])
    await world.talk_and_generate(user, haru, "이건 그 사람 이야기")
    world.speaker.extract = lambda p: extraction(p, search_terms=["날씨"])
    for number in range(13):
        await world.talk_and_generate(user, haru, f"{number}번째 날씨 이야기")
    world.embedder.error = ModelTimeout("e")
    await world.say(user, haru, asked)
    assert "이건 그 사람 이야기" in summaries(world)


async def test_the_vector_leg_is_exact(world: World) -> None:
    """Against brute force over a pair of 300, among other users' rows."""
    haru, user, other = await world.character(), somebody(), somebody()
    for owner in (user, other):
        await world.talk_and_generate(owner, haru, "첫 이야기")
    texts = [f"{n}번째 이야기는 {n * 37 % 101}에 대한 것" for n in range(300)]
    vectors = (await world.embedder.embed(texts, "document", ModelChoice("t", "m"), 1)).vectors
    for owner in (user, other):
        await fill(world, owner, vectors)
    asked = "7번째 이야기는 무엇에 대한 것?"
    (wanted,) = (await world.embedder.embed([asked], "query", ModelChoice("t", "m"), 1)).vectors
    rows = await world.sql(
        "SELECT memory_id, 1 - (embedding <=> %s::halfvec)"
        f" FROM {VECTORS} JOIN memory.memory_characters USING (user_id, character_id, seq)"
        " WHERE user_id = %s ORDER BY 2 DESC LIMIT 1",
        "[" + ",".join(map(str, [*wanted, *[0.0] * (768 - Hashes.WIDTH)])) + "]",
        user,
    )
    told = await recalled(world, user, asked)
    assert math.isclose(max(s for _, s in told), float(rows[0][1]), abs_tol=1e-6)
    assert rows[0][0] in [i for i, _ in told]


async def fill(world: World, user: UserId, vectors: Sequence[Sequence[float]]) -> None:
    """Copies of the user's first memory, each with a vector of its own."""
    literals = ["[" + ",".join(map(str, [*v, *[0.0] * (768 - len(v))])) + "]" for v in vectors]
    await world.sql(
        "WITH first AS (SELECT * FROM memory.memories WHERE user_id = %s LIMIT 1),"
        " made AS (INSERT INTO memory.memories (id, user_id, character_ids, first_position,"
        "  last_position, session_ids, summary, details, importance, extractor, prompt_version,"
        "  began_at, happened_at)"
        " SELECT gen_random_uuid(), user_id, character_ids, last_position + v.n,"
        "  last_position + v.n, session_ids, summary, details, 1, extractor, prompt_version,"
        "  began_at, happened_at"
        " FROM first, unnest(%s::text[]) WITH ORDINALITY AS v(e, n)"
        " RETURNING id, user_id, character_ids, first_position),"
        " placed AS (INSERT INTO memory.memory_characters"
        "  (user_id, character_id, seq, sitting, memory_id)"
        " SELECT user_id, character_ids[1], 1 + n, 1 + n, id"
        " FROM (SELECT *, row_number() OVER (ORDER BY first_position) AS n FROM made) AS numbered"
        " RETURNING user_id, character_id, seq),"
        " embedded AS ("
        " SELECT memory.put_vector(user_id, character_id, seq, 'test-1', v.e::halfvec)"
        " FROM placed JOIN unnest(%s::text[]) WITH ORDINALITY AS v(e, n) ON n = seq - 1)"
        " UPDATE memory.pairs SET next_seq = next_seq + (SELECT count(*) FROM embedded)"
        " WHERE user_id = %s",
        user,
        literals,
        literals,
        user,
    )


async def recalled(world: World, user: UserId, asked: str) -> list[tuple[object, float]]:
    """(id, similarity) of the candidates of the vector leg."""
    (haru,) = (
        await world.sql("SELECT character_ids[1] FROM memory.pairs WHERE user_id = %s", user)
    )[0]
    key, assignments = keys.read_user_key(user), operations.read_assignments()
    got = await world.engine.database.run(user, key, assignments)
    stored = got[key]
    assert stored
    assert stored.wrapped
    cipher = await world.engine.keyring.open(user, stored.wrapped)
    embedded = await embed_question(world.engine, got[assignments], [asked], [])
    query = query_for(world.engine, Scope(user, (haru,)), cipher, Prepared(asked, embedded))
    found = (await world.engine.database.run(user, query))[query]
    return [(f.memory.id, f.why.similarity) for f in found if f.why.similarity is not None]


async def test_recall_over_its_deadline_goes_on_without_memories(world: World) -> None:
    haru, user = await world.character(), somebody()
    await world.talk_and_generate(user, haru, "콩이 산책했어")
    blocker = asyncio.create_task(lock_vectors(world))
    await asyncio.sleep(0.1)  # until the table is locked; a shorter wait only weakens the test
    told: Told = await world.say(user, haru, "콩이 산책은?")
    await blocker
    assert (told.meta.recall, told.meta.recall_reason) == ("failed", "deadline")
    assert told.done.message_id
    assert parse("msg", told.done.message_id)


async def lock_vectors(world: World) -> None:
    """Hold an exclusive lock that a recall waits for, and nothing else of a turn."""
    await world.sql(
        "DO $$ BEGIN LOCK TABLE memory.vector_blocks IN ACCESS EXCLUSIVE MODE;"
        " PERFORM pg_sleep(1.5); END $$"
    )
