"""No word of a user is at rest anywhere: rows, write-ahead log, temporary files, services' logs."""

from pathlib import Path
from uuid import UUID

import pytest

from gieok.errors import ModelTimeout
from gieok.memories.amend import Amendment, amend_memory
from gieok.memories.read import list_memories
from gieok.memories.search import search
from gieok.recall.preview import preview
from gieok.relationship.corrections import correct
from gieok.types import Scope, UserId
from tests.support.stack import Stack
from tests.support.world import World, extraction, somebody

MESSAGE, ANSWER, TERM, CALLED = (
    "앵두나무아래서만나",
    "보랏빛대답이에요",
    "무화과케이크",
    "별명둥실이",
)
EDITED, SOUGHT = "고쳐쓴살구나무", "찾아본자두나무"
RELATED, ALLUSION = "딸린모과나무", "에둘러말한석류나무"
WORDS = (MESSAGE, ANSWER, TERM, CALLED, EDITED, SOUGHT, RELATED, ALLUSION)


def traces(folder: Path, words: tuple[str, ...]) -> list[tuple[str, str]]:
    """(file, word) for every file below a folder that holds a word, in UTF-8 or as hex."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            for word in words:
                raw = word.encode()
                if raw in content or raw.hex().encode() in content:
                    found.append((path.name, word))
    return found


async def test_no_word_of_a_user_is_found_in_any_file_of_any_service(
    world: World, stack: Stack, capfd: pytest.CaptureFixture[str]
) -> None:
    haru, user = await world.character(), somebody()
    state = {
        "character": "하루", "user_called": CALLED, "character_called": "", "speech_level": "반말",
        "standing": CALLED, "promises": [], "boundaries": [], "affection": 3,
        "changes": [{"field": f, "speaker": "user", "quote": MESSAGE}
                    for f in ("user_called", "standing")],
    }  # fmt: skip
    fact = {
        "category": "relation", "subject": {"kind": "other", "name": CALLED}, "reality": "real",
        "text": CALLED, "quote": MESSAGE, "message_id": "", "confidence": 0.9,
    }  # fmt: skip
    world.speaker.pieces = (ANSWER, *world.speaker.pieces[-1:])
    world.speaker.extract = lambda p: extraction(
        p,
        search_terms=[TERM],
        related_terms=[RELATED],
        asked_as=[ALLUSION],
        relationship_states=[state],
        facts=[fact],
    )
    await world.talk_and_generate(user, haru, MESSAGE)
    await correct(world.engine, user, haru, {"character_called": CALLED})
    kept = await world.sql(
        "SELECT (SELECT count(*) FROM memory.facts WHERE user_id = %s),"
        " (SELECT count(*) FROM memory.relationship_versions WHERE user_id = %s)",
        user,
        user,
    )
    assert kept == [(1, 2)]
    await world.say(user, haru, f"{MESSAGE} {TERM}")
    await _look_after(world, user, haru)
    # The unhappy paths log most.
    world.embedder.error = ModelTimeout("e")
    await _look_after(world, user, haru)
    world.speaker.pieces = (ModelTimeout("m"),)
    await world.say(user, haru, MESSAGE)
    world.speaker.extract = lambda p: MESSAGE
    world.clock.ahead *= 0
    await world.sql(
        "UPDATE chat.sessions SET last_active_at = last_active_at - interval '3 h'"
        " WHERE user_id = %s",
        user,
    )
    assert await world.generate(user, haru) == ["failed"]
    await world.sql("CHECKPOINT")
    assert traces(stack.folder, WORDS) == []
    out, err = capfd.readouterr()
    assert not [w for w in WORDS if w in out + err]


async def _look_after(world: World, user: UserId, haru: UUID) -> None:
    """What a user does with memories: edit twice, search, look at what would be recalled."""
    (memory,) = (await list_memories(world.engine, user, haru, None, None, 1)).items
    for text in (EDITED, MESSAGE, EDITED):
        await amend_memory(world.engine, user, memory.id, Amendment(summary=text))
    assert (await search(world.engine, user, f"{EDITED} {SOUGHT}", None, None, 5)).memories
    await preview(world.engine, Scope(user, (haru,)), SOUGHT, "Asia/Seoul", None)


async def test_the_search_itself_would_find_a_word(world: World, stack: Stack) -> None:
    await world.sql("CREATE TABLE IF NOT EXISTS public.leak (word text)")
    await world.sql("INSERT INTO public.leak VALUES (%s)", "새어나간낱말")
    await world.sql("CHECKPOINT")
    assert traces(stack.folder, ("새어나간낱말",))
    await world.sql("DROP TABLE public.leak")
