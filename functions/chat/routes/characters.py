"""The characters of the service, and what speaks for them."""

from functions.chat.endpoint import Call, Operation
from functions.chat.wire.conversations import CharactersResponse, ModelsResponse, of_character
from gieok.conversation.characters import list_characters as every_character
from gieok.revision.reset import reset


async def list_characters(call: Call[None]) -> CharactersResponse:
    """All characters, by name."""
    found = await every_character(call.engine, call.user_id)
    return CharactersResponse(characters=[of_character(c) for c in found])


async def reset_character(call: Call[None]) -> None:
    """Begin a relationship anew: the sessions with this character alone, the memories, pinned ones
    too, and what was between them are deleted. What is shared with other characters stays theirs.
    """
    await reset(call.engine, call.user_id, call.path_id("char"))


async def read_models(call: Call[None]) -> ModelsResponse:
    """Whether only the offline rules speak here, so that a page can say so."""
    return ModelsResponse(offline=call.engine.models.offline)


OPERATIONS = (
    Operation(
        "GET", "/v1/characters", "List characters", list_characters, gives=CharactersResponse
    ),
    Operation(
        "POST", "/v1/characters/{id}/reset", "Reset a relationship", reset_character, status=204
    ),
    Operation("GET", "/v1/models", "What speaks here", read_models, gives=ModelsResponse),
)
