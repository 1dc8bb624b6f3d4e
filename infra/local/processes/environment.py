"""The environment variables of each function: its settings, and where the stand-ins are."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gieok import settings
from gieok.errors import Misconfigured
from gieok.settings import Function
from infra.local.errors import CannotRun
from infra.local.processes.family import base_environment
from infra.local.servers.aws import Aws

AUDIENCE = "gieok"
REQUESTS_PER_MINUTE = 1_000
"""Requests of one user in a minute, at most. The limit is higher than a person needs, since
`make demo` and a developer's scripts say more."""
CHAT_CONNECTIONS = 8
"""Database connections of the chat app. One process serves all turns here, while in Lambda an
environment has one turn at a time."""


@dataclass(frozen=True, slots=True)
class Backing:
    """The servers behind the functions.

    `keys` has the variable that names what wraps data keys, GIEOK_KEY_FILE or GIEOK_KMS_KEY_ID.
    `models` has those of the model providers, `policies` those of generation and recall.
    """

    aws: Aws
    queue_url: str
    redis_url: str
    redis_token: str
    keys: Mapping[str, str]
    models: Mapping[str, str] = field(default_factory=dict)
    policies: Mapping[str, str] = field(default_factory=dict)


def environment_of(
    function: Function, database_url: str, backing: Backing, base_url: str = ""
) -> dict[str, str]:
    """All variables of one function's process. `base_url` is the chat app's, for its token issuer.

    Raises `CannotRun` when the function would not start with them.
    """
    made = {
        **base_environment(),
        **backing.aws.environment(),
        "GIEOK_STAGE": "local",
        "GIEOK_DATABASE_URL": database_url,
        "GIEOK_QUEUE_URL": backing.queue_url,
    }
    if function != "retention_sweep":
        made |= backing.keys
        made |= {**backing.models, **backing.policies}
        made["UPSTASH_REDIS_REST_URL"] = backing.redis_url
        made["UPSTASH_REDIS_REST_TOKEN"] = backing.redis_token
    if function == "chat":
        made |= _of_chat(base_url)
    try:
        settings.read(function, made)
    except Misconfigured as error:
        raise CannotRun(str(error)) from error
    return made


def _of_chat(base_url: str) -> dict[str, str]:
    return {
        "GIEOK_DATABASE_CONNECTIONS": str(CHAT_CONNECTIONS),
        "GIEOK_REQUESTS_PER_MINUTE": str(REQUESTS_PER_MINUTE),
        "GIEOK_OIDC_ISSUER": base_url,
        "GIEOK_OIDC_AUDIENCE": AUDIENCE,
        "GIEOK_OIDC_JWKS_URL": f"{base_url}/dev/jwks.json",
    }
