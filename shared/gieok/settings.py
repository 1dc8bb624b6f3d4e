"""The only reader of the environment. It says in one line what is missing or contradictory."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeVar
from urllib.parse import parse_qsl, urlsplit

from gieok.errors import Misconfigured
from gieok.policy import COMPANION, RECALLS, REWRITES, Policy

Function = Literal["chat", "memory_worker", "retention_sweep"]
Need = Literal["queue", "keys", "redis", "identity"]
Value = TypeVar("Value", bound=str)

_NEEDS: Mapping[Function, frozenset[Need]] = {
    "chat": frozenset({"queue", "keys", "redis", "identity"}),
    "memory_worker": frozenset({"queue", "keys", "redis"}),
    "retention_sweep": frozenset({"queue"}),
}


@dataclass(frozen=True, slots=True, repr=False)
class Settings:
    """What a deployment chooses. It is built by `read`, and has no repr, since it holds secrets.

    `key_file` and `offline_models` are allowed where GIEOK_STAGE is "local" only. `vector_width`
    must be the number of dimensions with which the database was migrated.
    """

    database_url: str
    database_connections: int
    vector_width: int
    redis_url: str
    redis_token: str
    queue_url: str
    kms_key_id: str
    key_file: Path | None
    oidc_issuer: str
    oidc_audience: str
    oidc_jwks_url: str
    gemini_api_key: str
    gemini_base_url: str
    openai_base_url: str
    openai_api_key: str
    offline_models: bool
    policy: Policy


def read(function: Function, environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings that one function needs.

    Raises `Misconfigured` naming all variables that are missing, or the first one that is malformed
    or not allowed.
    """
    env = _Reader(environ)
    settings = _read(env, _NEEDS[function])
    env.refuse_missing()
    return settings


def _read(env: "_Reader", needs: frozenset[Need]) -> Settings:
    environ = env.environ
    stage = env.one_of("GIEOK_STAGE", ("cloud", "local"))
    key_file = environ.get("GIEOK_KEY_FILE")
    offline = environ.get("GIEOK_OFFLINE_MODELS", "") == "1"
    if stage == "cloud" and (key_file or offline):
        raise Misconfigured(
            "GIEOK_KEY_FILE and GIEOK_OFFLINE_MODELS are for GIEOK_STAGE=local only"
        )
    chosen = Settings(
        database_url=env.text("GIEOK_DATABASE_URL"),
        database_connections=env.number("GIEOK_DATABASE_CONNECTIONS", 1),
        vector_width=env.number("GIEOK_VECTOR_WIDTH", 768),
        redis_url=env.text("UPSTASH_REDIS_REST_URL", "redis" in needs),
        redis_token=env.text("UPSTASH_REDIS_REST_TOKEN", "redis" in needs),
        queue_url=env.text("GIEOK_QUEUE_URL", "queue" in needs),
        kms_key_id=env.text("GIEOK_KMS_KEY_ID", "keys" in needs and not key_file),
        key_file=Path(key_file) if key_file else None,
        oidc_issuer=env.text("GIEOK_OIDC_ISSUER", "identity" in needs),
        oidc_audience=env.text("GIEOK_OIDC_AUDIENCE", "identity" in needs),
        oidc_jwks_url=env.text("GIEOK_OIDC_JWKS_URL", "identity" in needs),
        gemini_api_key=env.text("GEMINI_API_KEY", required=False),
        gemini_base_url=env.url("GIEOK_GEMINI_BASE_URL"),
        openai_base_url=env.url("GIEOK_OPENAI_BASE_URL"),
        openai_api_key=env.text("GIEOK_OPENAI_API_KEY", required=False),
        offline_models=offline,
        policy=read_policy(environ),
    )
    if stage == "cloud":
        env.refuse_plain_transport()
    return chosen


def read_policy(environ: Mapping[str, str] = os.environ) -> Policy:
    """The companion policy with this deployment's changes. Raises `Misconfigured`."""
    env = _Reader(environ)
    if (environ.get("GIEOK_POLICY") or "companion") != "companion":
        raise Misconfigured("GIEOK_POLICY: only 'companion' exists")
    limit = env.number("GIEOK_REQUESTS_PER_MINUTE", COMPANION.chat.requests_per_minute)
    rewrite = env.one_of("GIEOK_REWRITE", REWRITES)
    early = env.one_of("GIEOK_EARLY_TRIGGER", ("off", "on")) == "on"
    return replace(
        COMPANION,
        recall=replace(RECALLS[env.one_of("GIEOK_RECALL", tuple(RECALLS))], rewrite=rewrite),
        generation=replace(COMPANION.generation, early_trigger=early),
        chat=replace(COMPANION.chat, requests_per_minute=limit),
    )


def read_migration(environ: Mapping[str, str] = os.environ) -> tuple[str, int]:
    """The owner's database URL and the vectors' width, for `gieok.operations.migrate`.

    Raises `Misconfigured`.
    """
    env = _Reader(environ)
    url, width = env.text("GIEOK_DATABASE_URL"), env.number("GIEOK_VECTOR_WIDTH", 768)
    env.refuse_missing()
    return url, width


def read_operation(environ: Mapping[str, str] = os.environ) -> tuple[Settings, str]:
    """The worker's settings and the operator's database URL, for `gieok.operations.reembed`.

    A re-embedding takes no lock and sends no hint, so Redis and the queue may be left out. Raises
    `Misconfigured` naming all variables that are missing.
    """
    env = _Reader(environ)
    operator = env.text(_OPERATOR)
    settings = _read(env, frozenset({"keys"}))
    env.refuse_missing()
    return settings, operator


def read_operator(environ: Mapping[str, str] = os.environ) -> str:
    """The operator's database URL, for what needs nothing else. Raises `Misconfigured`."""
    env = _Reader(environ)
    url = env.text(_OPERATOR)
    env.refuse_missing()
    return url


_OPERATOR = "GIEOK_OPERATOR_DATABASE_URL"
_DATABASES = ("GIEOK_DATABASE_URL", _OPERATOR)
_SERVICES = (
    *("UPSTASH_REDIS_REST_URL", "GIEOK_QUEUE_URL", "GIEOK_OIDC_JWKS_URL"),
    *("GIEOK_GEMINI_BASE_URL", "GIEOK_OPENAI_BASE_URL"),
)
"""What is reached over HTTP. A model server of one's own needs TLS, too: it is sent memories."""


@dataclass(frozen=True, slots=True)
class _Reader:
    environ: Mapping[str, str]
    missing: list[str] = field(default_factory=list)

    def text(self, name: str, required: bool = True) -> str:
        value = self.environ.get(name, "").strip()
        if required and not value:
            self.missing.append(name)
        return value

    def refuse_missing(self) -> None:
        """Raise `Misconfigured` naming all variables that were required and are missing."""
        if self.missing:
            *others, last = self.missing
            named = f"{', '.join(others)} and {last} are" if others else f"{last} is"
            raise Misconfigured(f"{named} not set")

    def refuse_plain_transport(self) -> None:
        """Raise `Misconfigured` for a service in the cloud that others could listen to, or play."""
        for name in _DATABASES:
            url = self.environ.get(name, "").strip()
            if url and not _verifies(url):
                raise Misconfigured(f"{name} must have sslmode=verify-full where GIEOK_STAGE=cloud")
        for name in _SERVICES:
            url = self.environ.get(name, "").strip()
            if url and not url.startswith("https://"):
                raise Misconfigured(f"{name} must begin with https:// where GIEOK_STAGE=cloud")

    def url(self, name: str) -> str:
        """The URL below which a server's paths lie; "" when the variable is not set."""
        value = self.text(name, required=False)
        if value and not _begins_paths(value):
            raise Misconfigured(f"{name} must be a URL such as http://127.0.0.1:8000/v1")
        return value

    def number(self, name: str, default: int) -> int:
        value = self.environ.get(name, str(default))
        if not value.isdecimal() or int(value) < 1:
            raise Misconfigured(f"{name} must be a positive whole number")
        return int(value)

    def one_of(self, name: str, allowed: tuple[Value, ...]) -> Value:
        """One of the allowed values; the first of them when the variable is not set or empty."""
        given = self.environ.get(name) or allowed[0]
        for value in allowed:
            if value == given:
                return value
        raise Misconfigured(f"{name} must be one of {', '.join(allowed)}")


def _begins_paths(url: str) -> bool:
    """Whether a path may follow the URL: it has http or https, a host, no query and no character
    that would have to be escaped."""
    try:
        parts = urlsplit(url)
        port_fits = parts.port is None or parts.port > 0
    except ValueError:
        return False
    plain = url.isascii() and url.isprintable() and not set(url) & set(' ?#"<>\\^`{|}')
    return parts.scheme in ("http", "https") and bool(parts.hostname) and port_fits and plain


def _verifies(database_url: str) -> bool:
    """Whether a connection checks who it talks to, in libpq's URLs and its "key=value" pairs."""
    query = dict(parse_qsl(urlsplit(database_url).query))
    words = dict(word.partition("=")[::2] for word in database_url.split())
    return "verify-full" in (query.get("sslmode"), words.get("sslmode"))
