"""No word of a user is at rest anywhere: rows, write-ahead log, temporary files, services' logs."""

from pathlib import Path

import pytest

from gieok.errors import ModelMalformed, ModelTimeout
from tests.conftest import Stack
from tests.world import World, extraction, somebody

MESSAGE, ANSWER, TERM, CALLED = (
    "앵두나무아래서만나",
    "보랏빛대답이에요",
    "무화과케이크",
    "별명둥실이",
)
WORDS = (MESSAGE, ANSWER, TERM, CALLED)


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
    }  # fmt: skip
    world.speaker.pieces = (ANSWER, *world.speaker.pieces[-1:])
    world.speaker.extract = lambda p: extraction(
        p, search_terms=[TERM], relationship_states=[state]
    )
    await world.talk_and_remember(user, haru, MESSAGE)
    await world.say(user, haru, f"{MESSAGE} {TERM}")
    # The unhappy paths log most.
    world.embedder.error = ModelTimeout("e")
    world.speaker.pieces = (ModelTimeout("m"),)
    await world.say(user, haru, MESSAGE)
    world.speaker.extract = lambda p: MESSAGE
    world.clock.ahead *= 0
    await world.sql(
        "UPDATE chat.sessions SET last_active_at = last_active_at - interval '3 h'"
        " WHERE user_id = %s",
        user,
    )
    with pytest.raises(ModelMalformed):
        await world.remember(user, haru)
    await world.sql("CHECKPOINT")
    assert traces(stack.folder, WORDS) == []
    out, err = capfd.readouterr()
    assert not [w for w in WORDS if w in out + err]


async def test_the_search_itself_would_find_a_word(world: World, stack: Stack) -> None:
    await world.sql("CREATE TABLE IF NOT EXISTS public.leak (word text)")
    await world.sql("INSERT INTO public.leak VALUES (%s)", "새어나간낱말")
    await world.sql("CHECKPOINT")
    assert traces(stack.folder, ("새어나간낱말",))
    await world.sql("DROP TABLE public.leak")
