"""What a message would bring to mind, and why."""

from functions.chat.endpoint import Call, Operation, cast_of
from functions.chat.wire.memories import RecallRequest, RecallResponse, of_preview
from gieok.recall.preview import preview
from gieok.types import Scope


async def preview_recall(call: Call[RecallRequest]) -> RecallResponse:
    """What a message would bring to mind; it is not said, and nothing changes."""
    body, policy = call.body, call.engine.policy
    scope = Scope(call.user_id, cast_of(body.character_id, body.character_ids))
    found = await preview(call.engine, scope, body.query, body.time_zone, body.language)
    return of_preview(found, policy.recall.limit, policy.prompt.memories, body.explain)


OPERATIONS = (
    Operation(
        "POST",
        "/v1/recall",
        "What would be remembered",
        preview_recall,
        RecallRequest,
        RecallResponse,
    ),
)
