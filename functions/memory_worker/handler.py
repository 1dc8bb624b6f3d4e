"""Generate what is due in the scope of each hint of an SQS batch.

A window that failed is in the database with the time of its next try (docs/decisions/11), so its
hint is done with. Only a hint whose outcome could not even be recorded goes back to the queue.
"""

from gieok.bootstrap import cold_start

# isort: split
import asyncio
from functools import cache
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.utilities.batch import (
    BatchProcessor,
    EventType,
    process_partial_response,
)
from aws_lambda_powertools.utilities.batch.types import PartialItemFailureResponse
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord

from gieok import settings, telemetry
from gieok.adapters.sqs_queue import from_body
from gieok.bootstrap.engine import build_engine
from gieok.engine import Engine
from gieok.generation.generate import generate

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext


@cache
def _environment() -> tuple[asyncio.Runner, Engine]:
    """One event loop and one engine per execution environment, made at the first event."""
    engine = build_engine(settings.read("memory_worker"))
    engine.models.preload()
    cold_start.loaded()
    return asyncio.Runner(), engine


def handler(event: dict[str, Any], context: "LambdaContext") -> PartialItemFailureResponse:
    """Handle a batch. The answer names the messages that SQS is to deliver again."""
    processor = BatchProcessor(EventType.SQS, raise_on_entire_batch_failure=False)
    return process_partial_response(event, _record, processor, context)


def _record(record: SQSRecord) -> None:
    try:
        scope = from_body(record.body)
        runner, engine = _environment()
        outcomes = runner.run(generate(engine, scope))
    except Exception as error:
        telemetry.failure("memory_worker_failed", error, sqs_message_id=record.message_id)
        raise
    telemetry.event("generated", outcomes=",".join(outcomes))


cold_start.loaded()
