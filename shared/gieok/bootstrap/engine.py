"""The engine of the chat and worker functions."""

from collections.abc import Mapping
from datetime import UTC, datetime

from gieok.adapters.sqs_queue import SqsQueue
from gieok.adapters.upstash import RedisLock, RedisRateLimiter, connect
from gieok.bootstrap import aws
from gieok.engine import Engine
from gieok.policy import ChatPolicy
from gieok.ports import Embedder, KeyService, LanguageModel
from gieok.privacy.key_services import FileKeyService, KmsKeyService
from gieok.privacy.keyring import Keyring
from gieok.providers.gemini import Gemini
from gieok.providers.openai_compatible import OpenAICompatible
from gieok.providers.router import Models
from gieok.settings import Settings
from gieok.store.database import Database
from gieok.types import RequestKind


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """See `ports.Clock`."""
        return datetime.now(UTC)


def build_engine(settings: Settings) -> Engine:
    """The engine of the chat and worker functions. Raises `Misconfigured` for a bad key file."""
    redis = connect(settings.redis_url, settings.redis_token)
    generation = settings.policy.generation
    return Engine(
        database=Database(settings.database_url, settings.database_connections),
        keyring=Keyring(_key_service(settings), SystemClock()),
        models=_models(settings),
        lock=RedisLock(redis, generation.lock_ttl_s, generation.heartbeat_s),
        limiter=RedisRateLimiter(redis, limits_of(settings.policy.chat)),
        queue=SqsQueue(aws.sqs, settings.queue_url),
        clock=SystemClock(),
        policy=settings.policy,
        vector_width=settings.vector_width,
    )


def limits_of(policy: ChatPolicy) -> Mapping[RequestKind, int]:
    """How many requests of each kind a user may send in a minute."""
    limit = policy.requests_per_minute
    return {"turn": limit, "search": limit, "call": 10 * limit}


def _key_service(settings: Settings) -> KeyService:
    if settings.key_file:
        return FileKeyService(settings.key_file)
    return KmsKeyService(aws.kms(), settings.kms_key_id)


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
        # Imported late: the rules are a laptop's, and compile patterns that the cloud never uses.
        from gieok.providers.offline.provider import Offline  # noqa: PLC0415

        offline = Offline()
        languages["offline"] = embedders["offline"] = offline
    return Models(languages, embedders, settings.vector_width)
