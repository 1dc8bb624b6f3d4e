"""Whose words they are when several characters talk: from the answer to the memory."""

import json
from typing import Any
from uuid import UUID

from gieok.calls import Finish, StructuredPrompt
from gieok.conversation.sessions import end_session
from gieok.ids import show
from gieok.memories.read import list_memories
from gieok.revision.edit import edit_message
from tests.support.client import client
from tests.support.conversation import messages_of
from tests.support.speakers import USAGE
from tests.support.world import World, extraction, somebody

DONE = Finish("stop", USAGE, "speaker-1")


async def group(world: World) -> tuple[UUID, ...]:
    """A cast of two: 하늘, who comes first in it, and 바다."""
    return await world.character("하늘"), await world.character("바다")


def payload(world: World) -> dict[str, Any]:
    """What the extraction was shown last."""
    shown: dict[str, Any] = json.loads(world.speaker.extractions[-1].payload)
    return shown


async def test_each_line_of_an_answer_is_extracted_as_its_characters_own(world: World) -> None:
    cast, user = await group(world), somebody()
    world.speaker.pieces = ("바다: 나는 수영을", " 배웠어.\n하늘: 나는 별을 봤어.", DONE)
    session = (await world.say(user, cast, "둘은 주말에 뭐 했어?")).session_id
    await end_session(world.engine, user, session)
    world.speaker.extract = _both_quoted
    assert await world.generate(user, *cast) == ["written", "not_due"]
    assert [(m["speaker"], m["text"]) for m in payload(world)["messages"]] == [
        ("user", "둘은 주말에 뭐 했어?"),
        ("바다", "나는 수영을 배웠어."),
        ("하늘", "나는 별을 봤어."),
    ]
    (memory,) = (await list_memories(world.engine, user, None, None, None, 9)).items
    assert {(d.who, d.text) for d in memory.details if d.who != "user"} == {
        ("바다", "나는 수영을 배웠어."),
        ("하늘", "나는 별을 봤어."),
    }, "a quote stands under who said it, and under nobody else"


def _both_quoted(prompt: StructuredPrompt) -> str:
    quotes = [
        {"kind": "quote", "who": who, "character": None, "text": text, "context": ""}
        for text in ("나는 수영을 배웠어.", "나는 별을 봤어.")
        for who in ("하늘", "바다")
    ]
    users = json.loads(extraction(prompt))["key_details"]
    return extraction(prompt, key_details=users + quotes)


async def test_whom_the_user_spoke_to_is_kept_with_the_quote(world: World) -> None:
    cast, user = await group(world), somebody()
    world.speaker.pieces = ("바다: 나도 좋아해.", DONE)
    session = (await world.say(user, cast, "너한테만 말하는데 좋아해")).session_id
    await end_session(world.engine, user, session)
    world.speaker.extract = lambda prompt: extraction(
        prompt,
        key_details=[
            {
                "kind": "quote",
                "who": "user",
                "character": "바다",
                "text": "너한테만 말하는데 좋아해",
                "context": "",
            }
        ],
    )
    assert await world.generate(user, *cast) == ["written", "not_due"]
    for character in cast:
        (memory,) = (await list_memories(world.engine, user, character, None, None, 9)).items
        assert [d.character for d in memory.details] == ["바다"]


async def test_an_answer_is_kept_under_the_one_who_speaks_first(world: World) -> None:
    cast, user = await group(world), somebody()
    world.speaker.pieces = ("바다: 안녕!\n하늘: 왔어?", DONE)
    session = (await world.say(user, cast, "다들 안녕")).session_id
    said, answer = await messages_of(world, user, session)
    assert (answer.stored.speaker, answer.parts) == ("바다", (("바다", "안녕!"), ("하늘", "왔어?")))
    assert said.parts == ()
    changed = await edit_message(world.engine, user, answer.stored.sealed.id, "하늘: 이제 와?")
    assert changed.parts == (("하늘", "이제 와?"),)


async def test_a_client_hears_and_reads_the_answer_whole_with_its_parts_beside_it(
    world: World,
) -> None:
    async with client(world) as me:
        cast = await group(world)
        world.speaker.pieces = ("바다: 안녕!\n하늘: 왔어?", DONE)
        told = await world.say(me.user, cast, "다들 안녕")
        assert told.text == "바다: 안녕!\n하늘: 왔어?"
        session = show("talk", told.session_id)
        (answer,) = (await me.ask("GET", f"sessions/{session}/messages?limit=1"))["messages"]
        assert (answer["speaker"], answer["text"]) == ("바다", told.text)
        assert answer["parts"] == [
            {"speaker": "바다", "text": "안녕!"},
            {"speaker": "하늘", "text": "왔어?"},
        ]


async def test_a_lone_characters_own_name_before_its_answer_is_left_out(world: World) -> None:
    haneul, user = await world.character("하늘"), somebody()
    world.speaker.pieces = ("하", "늘:", " 안녕!", " 왔어?", DONE)
    told = await world.say(user, haneul, "나 왔어", client_message_id="again")
    assert told.text == "안녕! 왔어?"
    _, answer = await messages_of(world, user, told.session_id)
    assert (answer.text, answer.parts) == ("안녕! 왔어?", ())
    assert (await world.say(user, haneul, "나 왔어", client_message_id="again")).text == told.text


async def test_a_lone_character_who_says_only_its_name_and_a_colon_says_nothing(
    world: World,
) -> None:
    haneul, user = await world.character("하늘"), somebody()
    world.speaker.pieces = ("하늘:", DONE)
    told = await world.say(user, haneul, "나 왔어")
    assert told.done.fallback_used
    assert told.text == "음… 잠깐만, 생각이 잘 안 나."
