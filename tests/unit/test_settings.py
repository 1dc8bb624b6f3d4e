"""Settings: what is missing or contradictory is one clear line that names it."""

from dataclasses import replace

import httpx
import pytest

from gieok import settings
from gieok.errors import Misconfigured
from gieok.policy import COMPANION, PLAIN_RRF, RECALLS, SOURCE, RecallPolicy

CHAT = {
    "GIEOK_DATABASE_URL": "postgresql://x?sslmode=verify-full",
    "UPSTASH_REDIS_REST_URL": "https://x",
    "UPSTASH_REDIS_REST_TOKEN": "t",
    "GIEOK_QUEUE_URL": "https://q",
    "GIEOK_KMS_KEY_ID": "k",
    "GIEOK_OIDC_ISSUER": "i",
    "GIEOK_OIDC_AUDIENCE": "a",
    "GIEOK_OIDC_JWKS_URL": "https://u",
}
BASES = ("GIEOK_GEMINI_BASE_URL", "GIEOK_OPENAI_BASE_URL")
PLAIN_QUERIES = ("", "?sslmode=disable", "?sslmode=require", "?sslmode=verify-full&sslmode=disable")


@pytest.mark.parametrize("missing", sorted(CHAT))
def test_a_missing_setting_is_named(missing: str) -> None:
    with pytest.raises(Misconfigured, match=missing):
        settings.read("chat", {k: v for k, v in CHAT.items() if k != missing})


def test_all_that_is_missing_is_named_in_one_line() -> None:
    with pytest.raises(Misconfigured) as caught:
        settings.read("retention_sweep", {})
    assert str(caught.value) == "GIEOK_DATABASE_URL and GIEOK_QUEUE_URL are not set"
    with pytest.raises(Misconfigured) as caught:
        settings.read("chat", {})
    assert "\n" not in str(caught.value)
    assert all(name in str(caught.value) for name in CHAT)


@pytest.mark.parametrize("extra", [{"GIEOK_KEY_FILE": "/tmp/key"}, {"GIEOK_OFFLINE_MODELS": "1"}])
def test_what_is_for_the_laptop_is_refused_in_the_cloud(extra: dict[str, str]) -> None:
    with pytest.raises(Misconfigured, match="local only"):
        settings.read("chat", CHAT | extra)
    settings.read("chat", CHAT | extra | {"GIEOK_STAGE": "local"})


PLAIN = [
    *(("GIEOK_DATABASE_URL", f"postgresql://x{query}") for query in PLAIN_QUERIES),
    ("GIEOK_DATABASE_URL", "host=x dbname=y"),
    ("GIEOK_DATABASE_URL", "postgresql://sslmode=verify-full@x/y"),
    *((name, "http://x") for name in (*BASES, "UPSTASH_REDIS_REST_URL", "GIEOK_QUEUE_URL")),
    ("GIEOK_OIDC_JWKS_URL", "http://issuer/keys"),
]


@pytest.mark.parametrize(("name", "value"), PLAIN)
def test_what_others_could_listen_to_is_refused_in_the_cloud(name: str, value: str) -> None:
    with pytest.raises(Misconfigured, match=rf"^{name} must .* where GIEOK_STAGE=cloud$"):
        settings.read("chat", CHAT | {name: value})
    settings.read("chat", CHAT | {name: value, "GIEOK_STAGE": "local"})


def test_a_database_may_be_named_as_libpq_does() -> None:
    named = {"GIEOK_DATABASE_URL": "host=x sslmode=verify-full dbname=y"}
    assert settings.read("chat", CHAT | named).database_url == named["GIEOK_DATABASE_URL"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIEOK_STAGE", "staging"),
        ("GIEOK_POLICY", "unheard-of"),
        ("GIEOK_RECALL", "best"),
        ("GIEOK_REWRITE", "always"),
        ("GIEOK_EARLY_TRIGGER", "true"),
        ("GIEOK_VECTOR_WIDTH", "wide"),
        ("GIEOK_DATABASE_CONNECTIONS", "0"),
    ],
)
def test_a_value_that_is_not_allowed_is_named(name: str, value: str) -> None:
    with pytest.raises(Misconfigured, match=name):
        settings.read("chat", CHAT | {name: value})


@pytest.mark.parametrize(
    ("value", "expected"),
    [("companion", COMPANION.recall), ("source", SOURCE), ("plain_rrf", PLAIN_RRF), ("", None)],
)
def test_the_ranking_is_one_of_the_named_policies(
    value: str, expected: RecallPolicy | None
) -> None:
    assert settings.read("chat", CHAT).policy == COMPANION
    policy = settings.read("chat", CHAT | {"GIEOK_RECALL": value}).policy
    assert policy == replace(COMPANION, recall=expected or COMPANION.recall)


@pytest.mark.parametrize("ranking", RECALLS)
def test_questions_can_be_rewritten_whatever_the_ranking(ranking: str) -> None:
    told = CHAT | {"GIEOK_RECALL": ranking}
    assert settings.read("chat", told).policy.recall.rewrite == "never"
    policy = settings.read("chat", told | {"GIEOK_REWRITE": "when_asked"}).policy
    assert policy.recall == replace(RECALLS[ranking], rewrite="when_asked")


@pytest.mark.parametrize(("value", "on"), [("on", True), ("off", False), ("", False)])
def test_the_early_trigger_can_be_turned_on(value: str, on: bool) -> None:
    policy = settings.read("memory_worker", CHAT | {"GIEOK_EARLY_TRIGGER": value}).policy
    assert policy.generation.early_trigger is on
    assert replace(policy, generation=COMPANION.generation) == COMPANION


def test_an_operator_needs_no_more_than_a_database() -> None:
    url = "postgresql://operator"
    assert settings.read_operator({"GIEOK_OPERATOR_DATABASE_URL": url}) == url
    with pytest.raises(Misconfigured, match="GIEOK_OPERATOR_DATABASE_URL"):
        settings.read_operator({})


def test_a_reembedding_needs_two_databases_and_a_key_and_no_other_service() -> None:
    needed = {
        "GIEOK_OPERATOR_DATABASE_URL": "postgresql://operator?sslmode=verify-full",
        "GIEOK_DATABASE_URL": "postgresql://worker?sslmode=verify-full",
        "GIEOK_KMS_KEY_ID": "k",
    }
    chosen, operator = settings.read_operation(needed)
    assert {chosen.database_url, operator} == {*needed.values()} - {"k"}
    with pytest.raises(Misconfigured) as caught:
        settings.read_operation({})
    assert str(caught.value) == (
        "GIEOK_OPERATOR_DATABASE_URL, GIEOK_DATABASE_URL and GIEOK_KMS_KEY_ID are not set"
    )


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize(
    "url",
    [
        "127.0.0.1:8000/v1",
        "localhost:8000",
        "ftp://models.example/v1",
        "http:/models.example/v1",
        "http://",
        "http:///v1",
        "http://:8000/v1",
        "http://models.example:port/v1",
        "http://models.example:99999/v1",
        "http://[::1/v1",
        "http://models.example/v1?key=x",
        "http://models.example/v1#top",
        "http://models example/v1",
        "http://models.example/v1\nhttp://other.example",
        "<http://models.example>",
        "https",
    ],
)
def test_a_base_url_that_is_none_is_one_line_that_names_it_and_does_not_quote_it(
    name: str, url: str
) -> None:
    with pytest.raises(Misconfigured) as caught:
        settings.read("chat", CHAT | {name: url})
    assert str(caught.value) == f"{name} must be a URL such as http://127.0.0.1:8000/v1"


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://127.0.0.1:8000/v1",
        "https://models.example",
        "https://models.example/v1/",
        "http://[::1]:8000/v1",
        "https://name:secret@models.example:8443/a/b",
    ],
)
def test_a_base_url_is_taken_as_it_is_and_the_client_takes_it_too(name: str, url: str) -> None:
    chosen = settings.read("chat", CHAT | {"GIEOK_STAGE": "local", name: f" {url} "})
    assert getattr(chosen, name.removeprefix("GIEOK_").lower()) == url
    httpx.Client(base_url=url).close()


def test_the_sweep_needs_no_keys_no_redis_and_no_models() -> None:
    chosen = settings.read(
        "retention_sweep", {k: CHAT[k] for k in ("GIEOK_DATABASE_URL", "GIEOK_QUEUE_URL")}
    )
    assert chosen.kms_key_id == ""


def test_settings_do_not_show_their_secrets() -> None:
    chosen = settings.read("chat", CHAT | {"GEMINI_API_KEY": "the-secret"})
    assert "the-secret" not in repr(chosen)
