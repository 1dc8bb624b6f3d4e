"""Hints for the memory worker, over SQS."""

import asyncio
import json
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import UUID

from gieok.errors import BadRequest, QueueUnavailable
from gieok.types import Scope, UserId

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


class SqsQueue:
    """Hints as SQS messages, whose text is made by `to_body`.

    `connect` makes the client when the first hint is sent.
    """

    def __init__(self, connect: "Callable[[], SQSClient]", url: str) -> None:
        self._connect = connect
        self._url = url

    async def send(self, scope: Scope, delay_s: int = 0) -> None:
        """See `ports.Queue`."""
        await asyncio.to_thread(self._send, to_body(scope), delay_s)

    def _send(self, body: str, delay_s: int) -> None:
        # Imported late: see `bootstrap.sweep`.
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415

        try:
            self._client.send_message(QueueUrl=self._url, MessageBody=body, DelaySeconds=delay_s)
        except (BotoCoreError, ClientError) as error:
            raise QueueUnavailable("SQS refused or did not answer") from error

    @cached_property
    def _client(self) -> "SQSClient":
        return self._connect()


def to_body(scope: Scope) -> str:
    """The text of a hint's message. It holds ids only; the worker asks the database what is due."""
    return json.dumps(
        {"userId": scope.user_id, "characterIds": [c.hex for c in scope.character_ids]}
    )


def from_body(body: str) -> Scope:
    """Read a message that `to_body` made. Raises `BadRequest` for anything else."""
    try:
        parsed = json.loads(body)
        user_id, ids = parsed["userId"], [UUID(hex=c) for c in parsed["characterIds"]]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadRequest("not a memory hint") from error
    if not isinstance(user_id, str) or not user_id or not ids:
        raise BadRequest("not a memory hint")
    return Scope(UserId(user_id), tuple(sorted(ids)))
