"""Settings: what is missing or contradictory is one clear line that names it."""

import pytest

from gieok import settings
from gieok.errors import Misconfigured

CHAT = {
    "GIEOK_DATABASE_URL": "postgresql://x",
    "UPSTASH_REDIS_REST_URL": "http://x",
    "UPSTASH_REDIS_REST_TOKEN": "t",
    "GIEOK_QUEUE_URL": "http://q",
    "GIEOK_KMS_KEY_ID": "k",
    "GIEOK_OIDC_ISSUER": "i",
    "GIEOK_OIDC_AUDIENCE": "a",
    "GIEOK_OIDC_JWKS_URL": "u",
}


@pytest.mark.parametrize("missing", sorted(CHAT))
def test_a_missing_setting_is_named(missing: str) -> None:
    with pytest.raises(Misconfigured, match=missing):
        settings.read("chat", {k: v for k, v in CHAT.items() if k != missing})


@pytest.mark.parametrize("extra", [{"GIEOK_KEY_FILE": "/tmp/key"}, {"GIEOK_OFFLINE_MODELS": "1"}])
def test_what_is_for_the_laptop_is_refused_in_the_cloud(extra: dict[str, str]) -> None:
    with pytest.raises(Misconfigured, match="local only"):
        settings.read("chat", CHAT | extra)
    settings.read("chat", CHAT | extra | {"GIEOK_STAGE": "local"})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIEOK_STAGE", "staging"),
        ("GIEOK_POLICY", "unheard-of"),
        ("GIEOK_VECTOR_WIDTH", "wide"),
        ("GIEOK_DATABASE_CONNECTIONS", "0"),
    ],
)
def test_a_value_that_is_not_allowed_is_named(name: str, value: str) -> None:
    with pytest.raises(Misconfigured, match=name):
        settings.read("chat", CHAT | {name: value})


def test_the_sweep_needs_no_keys_no_redis_and_no_models() -> None:
    chosen = settings.read("sweep", {k: CHAT[k] for k in ("GIEOK_DATABASE_URL", "GIEOK_QUEUE_URL")})
    assert chosen.kms_key_id == ""


def test_settings_do_not_show_their_secrets() -> None:
    chosen = settings.read("chat", CHAT | {"GEMINI_API_KEY": "the-secret"})
    assert "the-secret" not in repr(chosen)
