"""Where the user stands with a character."""

from typing import Any

from msgspec import UNSET

from functions.chat import paging
from functions.chat.endpoint import Call, Operation
from functions.chat.wire.relationships import (
    RelationshipRequest,
    RelationshipResponse,
    corrected_fields,
    of_history,
)
from gieok.errors import BadRequest
from gieok.relationship import corrections


async def read_relationship(call: Call[Any]) -> RelationshipResponse:
    """The relationship with the words behind it, and a page of its versions."""
    history = await corrections.read_relationship(
        call.engine, call.user_id, call.path_id("char"), paging.behind_version(call), call.limit
    )
    return of_history(history)


async def change_relationship(call: Call[RelationshipRequest]) -> RelationshipResponse:
    """Correct some fields, which holds them until the user's words say otherwise, or restore a
    version. 409 `conflict` when others kept changing it.
    """
    engine, user_id, character_id = call.engine, call.user_id, call.path_id("char")
    given, version = corrected_fields(call.body), call.body.restore_version
    if bool(given) == (version is not UNSET):
        raise BadRequest("fields to correct or restoreVersion, one of them")
    if version is UNSET:
        await corrections.correct(engine, user_id, character_id, given)
    else:
        await corrections.restore(engine, user_id, character_id, version)
    return await read_relationship(call)


OPERATIONS = (
    Operation(
        "GET",
        "/v1/characters/{id}/relationship",
        "Where the user stands with a character",
        read_relationship,
        gives=RelationshipResponse,
        query=paging.QUERY,
    ),
    Operation(
        "PUT",
        "/v1/characters/{id}/relationship",
        "Correct or restore where the user stands with a character",
        change_relationship,
        RelationshipRequest,
        RelationshipResponse,
    ),
)
