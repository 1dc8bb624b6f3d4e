"""The only composition root: settings in, a working engine out.

Nothing connects here: every client opens its first connection when it is first used, so that a
snapshot of a started function holds nothing that is unique or connected.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import boto3
from botocore.config import Config

from gieok.engine import Engine, SweepEngine
from gieok.key_services import FileKeyService, KmsKeyService
from gieok.keyring import Keyring
from gieok.models import Models
from gieok.ports import Embedder, KeyService, LanguageModel
from gieok.providers.gemini import Gemini
from gieok.providers.offline import Offline
from gieok.providers.openai_compatible import OpenAICompatible
from gieok.redis_lock import RedisLock, RedisRateLimiter, connect
from gieok.settings import Settings
from gieok.sqs_queue import SqsQueue
from gieok.store.database import Database

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_sqs import SQSClient

_AWS = Config(connect_timeout=2, read_timeout=5, retries={"max_attempts": 2, "mode": "standard"})


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """See `ports.Clock`."""
        return datetime.now(UTC)


def build(settings: Settings) -> Engine:
    """The engine of the chat and worker functions. Raises `Misconfigured` for a bad key file."""
    redis = connect(settings.redis_url, settings.redis_token)
    generation = settings.policy.generation
    return Engine(
        database=Database(settings.database_url, settings.database_connections),
        keyring=Keyring(_key_service(settings), SystemClock()),
        models=_models(settings),
        lock=RedisLock(redis, generation.lock_ttl_s, generation.heartbeat_s),
        limiter=RedisRateLimiter(redis, settings.policy.chat.requests_per_minute),
        queue=_queue(settings),
        clock=SystemClock(),
        policy=settings.policy,
        vector_width=settings.vector_width,
    )


def build_sweep(settings: Settings) -> SweepEngine:
    """The engine of the sweep."""
    database = Database(settings.database_url, settings.database_connections)
    return SweepEngine(database, _queue(settings), settings.policy)


def _queue(settings: Settings) -> SqsQueue:
    return SqsQueue(_sqs(), settings.queue_url)


def _key_service(settings: Settings) -> KeyService:
    if settings.key_file:
        return FileKeyService(settings.key_file)
    return KmsKeyService(_kms(), settings.kms_key_id)


def _sqs() -> "SQSClient":
    return boto3.client("sqs", config=_AWS)


def _kms() -> "KMSClient":
    return boto3.client("kms", config=_AWS)


def _models(settings: Settings) -> Models:
    """The providers that are configured; each loads its SDK when it is first asked."""
    languages: dict[str, LanguageModel] = {}
    embedders: dict[str, Embedder] = {}
    if settings.gemini_api_key:
        gemini = Gemini(settings.gemini_api_key, settings.gemini_base_url, settings.vector_width)
        languages["gemini"] = embedders["gemini"] = gemini
    if settings.openai_base_url:
        server = OpenAICompatible(settings.openai_base_url, settings.openai_api_key)
        languages["openai"] = embedders["openai"] = server
    if settings.offline_models:
        offline = Offline()
        languages["offline"] = embedders["offline"] = offline
    return Models(languages, embedders, settings.vector_width)
