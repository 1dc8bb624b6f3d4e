"""In place of Lambda's event source mapping: polls the queue and hands the worker its batches.

As a process of its own: ``python -m infra.local.processes.poller <queue URL>``, in the worker's
environment.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import boto3

from functions.memory_worker.handler import handler as memory_worker
from infra.local.servers.aws import REGION
from infra.local.servers.invocation import ACCOUNT, Invocation

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageTypeDef

BATCH = 10
"""Messages of one event, at most."""
WAIT_S = 20
"""Seconds that one long poll waits, the most that SQS allows."""
TIMEOUT_S = 120
"""Seconds that the memory worker may take, as in template.yaml."""

Handler = Callable[[dict[str, Any], Any], Mapping[str, Any] | None]


def poll(sqs: "SQSClient", queue_url: str, handler: Handler, wait_s: int = WAIT_S) -> int:
    """Wait for messages, hand them over as one event, and delete those that succeeded.

    Those that failed come back after the visibility timeout. Returns how many were received.
    """
    answer = sqs.receive_message(
        QueueUrl=queue_url,
        MaxNumberOfMessages=BATCH,
        WaitTimeSeconds=wait_s,
        MessageSystemAttributeNames=["All"],
        MessageAttributeNames=["All"],
    )
    messages = answer.get("Messages", [])
    if messages:
        failed = _failed(messages, queue_url, handler)
        done = [m for m in messages if m["MessageId"] not in failed]
        for message in done:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
    return len(messages)


def event_of(messages: "Sequence[MessageTypeDef]", queue_url: str) -> dict[str, Any]:
    """The event that Lambda makes of SQS messages."""
    queue = queue_url.rpartition("/")[2]
    return {
        "Records": [
            {
                "messageId": m["MessageId"],
                "receiptHandle": m["ReceiptHandle"],
                "body": m["Body"],
                "attributes": m.get("Attributes", {}),
                "messageAttributes": m.get("MessageAttributes", {}),
                "md5OfBody": m["MD5OfBody"],
                "eventSource": "aws:sqs",
                "eventSourceARN": f"arn:aws:sqs:{REGION}:{ACCOUNT}:{queue}",
                "awsRegion": REGION,
            }
            for m in messages
        ]
    }


def failed_of(answer: Mapping[str, Any] | None, sent: set[str]) -> set[str]:
    """The ids of the messages that an answer reports as failed, by Lambda's rules.

    No answer or an empty list means that all succeeded. An answer that makes no sense, or names a
    message that was not sent, means that all failed.
    """
    try:
        failures = (answer or {}).get("batchItemFailures") or []
        named = {failure["itemIdentifier"] for failure in failures}
    except (AttributeError, KeyError, TypeError):
        return sent
    return named if named <= sent else sent


def _failed(messages: "Sequence[MessageTypeDef]", queue_url: str, handler: Handler) -> set[str]:
    sent = {m["MessageId"] for m in messages}
    try:
        answer = handler(event_of(messages, queue_url), Invocation("gieok-worker", TIMEOUT_S))
    except Exception as error:  # noqa: BLE001 - Lambda's edge: whatever it was, the batch comes back
        print(f"the memory worker failed: {type(error).__name__}", flush=True)
        return sent
    return failed_of(answer, sent)


def main(arguments: Iterable[str]) -> None:
    """Poll until a signal ends the process; a message in flight comes back by itself."""
    (queue_url,) = arguments
    sqs = boto3.client("sqs")
    while True:
        poll(sqs, queue_url, memory_worker)


if __name__ == "__main__":
    main(sys.argv[1:])
