"""Hints over SQS (moto's, through the real SDK): what arrives, and what goes wrong."""

from typing import TYPE_CHECKING

import pytest

from gieok.adapters.sqs_queue import SqsQueue, from_body
from gieok.bootstrap import aws
from gieok.errors import QueueUnavailable
from gieok.ids import new_id
from gieok.types import Scope
from infra.local.servers.aws import Aws
from tests.support.checkout import free_port
from tests.support.stack import Stack
from tests.support.world import somebody

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


def reach(server: Aws, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the functions' own clients talk to a server."""
    for name, value in server.environment().items():
        monkeypatch.setenv(name, value)


async def test_a_hint_arrives_as_the_scope_it_is_about(
    stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = stack.services.queue().url
    reach(stack.services.aws, monkeypatch)
    scope = Scope(somebody(), tuple(sorted((new_id(), new_id()))))
    await SqsQueue(aws.sqs, url).send(scope)
    (message,) = aws.sqs().receive_message(QueueUrl=url, WaitTimeSeconds=5)["Messages"]
    assert from_body(message["Body"]) == scope


async def test_a_hint_can_wait(stack: Stack) -> None:
    client, url = stack.services.aws.sqs(), stack.services.queue().url
    await SqsQueue(lambda: client, url).send(Scope(somebody(), (new_id(),)), delay_s=900)
    asked = client.get_queue_attributes(
        QueueUrl=url, AttributeNames=["ApproximateNumberOfMessagesDelayed"]
    )
    assert asked["Attributes"]["ApproximateNumberOfMessagesDelayed"] == "1"


async def test_a_client_is_made_with_the_first_hint_and_kept(stack: Stack) -> None:
    made: list[SQSClient] = []

    def connect() -> "SQSClient":
        made.append(stack.services.aws.sqs())
        return made[-1]

    queue = SqsQueue(connect, stack.services.queue().url)
    assert not made
    for _ in range(2):
        await queue.send(Scope(somebody(), (new_id(),)))
    assert len(made) == 1


async def test_a_queue_that_is_not_there_is_a_typed_error(stack: Stack) -> None:
    url = stack.services.queue().url + "-no-such"
    with pytest.raises(QueueUnavailable):
        await SqsQueue(stack.services.aws.sqs, url).send(Scope(somebody(), (new_id(),)))


async def test_an_sqs_that_does_not_answer_is_a_typed_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address = f"http://127.0.0.1:{free_port()}"
    reach(Aws(address), monkeypatch)
    with pytest.raises(QueueUnavailable):
        await SqsQueue(aws.sqs, f"{address}/1/memory").send(Scope(somebody(), (new_id(),)))
