"""The engine of the retention sweep, which has neither models nor keys."""

from typing import TYPE_CHECKING

from gieok.adapters.sqs_queue import SqsQueue
from gieok.engine import SweepEngine
from gieok.settings import Settings
from gieok.store.database import Database

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


def build_sweep_engine(settings: Settings) -> SweepEngine:
    """Put the sweep's engine together; the SDK for SQS is loaded when a hint is sent."""
    database = Database(settings.database_url, settings.database_connections)
    return SweepEngine(database, SqsQueue(_sqs, settings.queue_url), settings.policy)


def _sqs() -> "SQSClient":
    # Imported late: the SDK takes 0.1 s, and a run that finds nothing due has nothing to send.
    from gieok.bootstrap import aws  # noqa: PLC0415

    return aws.sqs()
