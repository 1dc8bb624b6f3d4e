"""The queue, its poller, the schedule and the key service, by the real SDK and Powertools."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import httpx
import pytest
from aws_lambda_powertools.utilities.batch import (
    BatchProcessor,
    EventType,
    process_partial_response,
)
from aws_lambda_powertools.utilities.data_classes import EventBridgeEvent
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from botocore.exceptions import ClientError

from infra.local.processes.poller import TIMEOUT_S, failed_of, poll
from infra.local.processes.scheduler import event_at, invoke
from infra.local.servers import http_server, sqs
from infra.local.servers.aws import MAX_RECEIVES, VISIBILITY_S, Aws, Queue


@pytest.fixture(scope="module")
def aws() -> Iterator[Aws]:
    with sqs.serving(http_server.bind()) as server:
        yield server


@pytest.fixture
def queue(aws: Aws) -> Queue:
    """A queue whose messages come back at once."""
    return aws.create_queue(f"queue-{uuid4().hex}", visibility_s=0)


def send(aws: Aws, queue: Queue, *bodies: str) -> None:
    for body in bodies:
        aws.sqs().send_message(QueueUrl=queue.url, MessageBody=body)


def waiting(aws: Aws, url: str) -> int:
    answer = aws.sqs().get_queue_attributes(QueueUrl=url, AttributeNames=["All"])
    return int(answer["Attributes"]["ApproximateNumberOfMessages"])


class Worker:
    """A handler as ours is: Powertools' batch processing around one function per record."""

    def __init__(self, *poison: str) -> None:
        self.poison = poison
        self.records: list[SQSRecord] = []
        self.contexts: list[Any] = []

    def __call__(self, event: dict[str, Any], context: Any) -> Any:
        self.contexts.append(context)
        processor = BatchProcessor(EventType.SQS, raise_on_entire_batch_failure=False)
        return process_partial_response(event, self.record, processor, context)

    def record(self, record: SQSRecord) -> None:
        self.records.append(record)
        if record.body in self.poison:
            raise ValueError(record.body)


def test_a_message_reaches_the_handler_once_as_lambda_would_bring_it(
    aws: Aws, queue: Queue
) -> None:
    send(aws, queue, '{"userId": "사용자"}')
    worker = Worker()
    assert poll(aws.sqs(), queue.url, worker, wait_s=0) == 1
    assert poll(aws.sqs(), queue.url, worker, wait_s=0) == 0
    (record,) = worker.records
    assert record.json_body == {"userId": "사용자"}
    assert record.attributes.approximate_receive_count == "1"
    assert record.event_source == "aws:sqs"
    assert record.event_source_arn.endswith(queue.url.rpartition("/")[2])


def test_the_context_says_how_much_time_is_left(aws: Aws, queue: Queue) -> None:
    send(aws, queue, "{}")
    worker = Worker()
    poll(aws.sqs(), queue.url, worker, wait_s=0)
    (context,) = worker.contexts
    assert 0 < context.get_remaining_time_in_millis() <= TIMEOUT_S * 1000
    assert context.invoked_function_arn.endswith(context.function_name)
    assert context.aws_request_id
    assert context.memory_limit_in_mb > 0


def test_only_what_failed_comes_back(aws: Aws, queue: Queue) -> None:
    send(aws, queue, "good", "bad", "fine")
    worker = Worker("bad")
    poll(aws.sqs(), queue.url, worker, wait_s=0)
    first = sorted(record.body for record in worker.records)
    poll(aws.sqs(), queue.url, worker, wait_s=0)
    assert first == ["bad", "fine", "good"]
    assert [record.body for record in worker.records[3:]] == ["bad"]


def test_a_handler_that_raises_loses_nothing_and_tells_nobodys_words(
    aws: Aws, queue: Queue, capsys: pytest.CaptureFixture[str]
) -> None:
    send(aws, queue, "one", "two")

    def broken(event: dict[str, Any], context: Any) -> None:
        raise RuntimeError(event["Records"][0]["body"])

    poll(aws.sqs(), queue.url, broken, wait_s=0)
    assert waiting(aws, queue.url) == 2
    assert capsys.readouterr().out == "the memory worker failed: RuntimeError\n"


def test_a_message_that_never_succeeds_ends_as_a_dead_letter(aws: Aws, queue: Queue) -> None:
    send(aws, queue, "poison")
    worker = Worker("poison")
    for _ in range(MAX_RECEIVES + 2):
        poll(aws.sqs(), queue.url, worker, wait_s=0)
    assert len(worker.records) == MAX_RECEIVES
    assert (waiting(aws, queue.url), waiting(aws, queue.dead_letters)) == (0, 1)


@pytest.mark.parametrize(
    ("answer", "failed"),
    [
        (None, set()),
        ({}, set()),
        ({"batchItemFailures": []}, set()),
        ({"batchItemFailures": None}, set()),
        ({"batchItemFailures": [{"itemIdentifier": "a"}]}, {"a"}),
        ({"batchItemFailures": [{"itemIdentifier": "unknown"}]}, {"a", "b"}),
        ({"batchItemFailures": [{"itemIdentifier": ""}]}, {"a", "b"}),
        ({"batchItemFailures": [{"wrong": "a"}]}, {"a", "b"}),
        ({"batchItemFailures": "a"}, {"a", "b"}),
        ("nonsense", {"a", "b"}),
    ],
)
def test_an_answer_that_makes_no_sense_fails_the_whole_batch(answer: Any, failed: set[str]) -> None:
    assert failed_of(answer, {"a", "b"}) == failed


def test_the_sweep_gets_a_schedulers_event_and_outlives_its_failures(
    capsys: pytest.CaptureFixture[str],
) -> None:
    events: list[EventBridgeEvent] = []

    def sweep(event: dict[str, Any], context: Any) -> None:
        events.append(EventBridgeEvent(event))
        raise RuntimeError("누군가의 말")

    when = datetime(2026, 11, 30, 1, 2, 3, tzinfo=UTC)
    assert not invoke(sweep, when)
    assert invoke(lambda event, context: None, when)
    (event,) = events
    assert (event.source, event.detail_type) == ("aws.scheduler", "Scheduled Event")
    assert event.time == "2026-11-30T01:02:03Z"
    assert event_at(when)["id"] != event.raw_event["id"]
    assert capsys.readouterr().out == "the sweep failed: RuntimeError\n"


def test_a_data_key_is_unwrapped_only_for_the_user_it_was_made_for(aws: Aws) -> None:
    kms, key = aws.kms(), aws.create_key()
    made = kms.generate_data_key(
        KeyId=key, KeySpec="AES_256", EncryptionContext={"user": "somebody"}
    )
    wrapped = made["CiphertextBlob"]
    again = kms.decrypt(CiphertextBlob=wrapped, EncryptionContext={"user": "somebody"})
    assert again["Plaintext"] == made["Plaintext"]
    with pytest.raises(ClientError, match="InvalidCiphertext"):
        kms.decrypt(CiphertextBlob=wrapped, EncryptionContext={"user": "another"})


def test_the_queue_waits_six_times_as_long_as_the_worker_may_take() -> None:
    assert VISIBILITY_S >= 6 * TIMEOUT_S


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Host": "evil.example"},
        {"Host": "rebound.example:80"},
        {"Origin": "http://127.0.0.1:8700"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "OPTIONS", "GET"])
def test_no_page_of_the_web_reaches_the_queue(
    aws: Aws, queue: Queue, method: str, headers: dict[str, str]
) -> None:
    asked = {"Content-Type": "text/plain", "X-Amz-Target": "AmazonSQS.SendMessage", **headers}
    body = json.dumps({"QueueUrl": queue.url, "MessageBody": "from a page"})
    answer = httpx.request(method, aws.endpoint, headers=asked, content=body)
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers
    assert "Messages" not in aws.sqs().receive_message(QueueUrl=queue.url)
