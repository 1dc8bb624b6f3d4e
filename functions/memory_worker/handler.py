"""SQS batch → remember; what failed goes back to the queue, the rest does not."""

import asyncio
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.batch import (
    BatchProcessor,
    EventType,
    process_partial_response,
)
from aws_lambda_powertools.utilities.batch.types import PartialItemFailureResponse
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from gieok import bootstrap, settings, telemetry
from gieok.engine import Engine
from gieok.remember import remember
from gieok.sqs_queue import from_body


class ScopeBusy(Exception):
    """Another worker holds the scope: the message comes back after its visibility timeout."""


@cache
def _environment() -> tuple[asyncio.Runner, Engine]:
    """One event loop and one engine per execution environment, made at the first event."""
    engine = bootstrap.build(settings.read("worker"))
    engine.models.preload()
    return asyncio.Runner(), engine


def handler(event: dict[str, Any], context: LambdaContext) -> PartialItemFailureResponse:
    """Handle a batch; the answer names the messages to deliver again."""
    processor = BatchProcessor(EventType.SQS, raise_on_entire_batch_failure=False)
    return process_partial_response(event, _record, processor, context)


def _record(record: SQSRecord) -> None:
    try:
        scope = from_body(record.body)
        runner, engine = _environment()
        outcomes = runner.run(remember(engine, scope))
    except Exception as error:
        telemetry.failure("window_failed", error, sqs_message_id=record.message_id)
        raise
    telemetry.event("remembered", outcomes=",".join(outcomes))
    if outcomes[-1] == "busy":
        raise ScopeBusy
