"""What is asked of models and what comes back: frozen values without behaviour or I/O.

Token counts are what a provider reported, or None.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from gieok.types import Locale, Role

Task = Literal["CHAT", "EXTRACTION", "EMBEDDING", "QUERY"]
Purpose = Literal["document", "query"]
FinishReason = Literal["stop", "length", "blocked", "interrupted", "fallback"]
Vector = tuple[float, ...]
"""A vector of length 1, as wide as the model makes it. The store pads it to its column's width."""

HARMLESS = "안녕하세요"
"""A text that every model takes which works at all: so one that refuses is told from one away."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens exactly as the provider reported them; None where it did not."""

    prompt: int | None = None
    completion: int | None = None
    thoughts: int | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """One slot of the system prompt. `name` is one of `prompt.assemble.SLOTS`."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A whole chat prompt: sections in order (stable ones first), then the turns verbatim.

    `turns` are (role, text), oldest first, and end with the user's new message.
    """

    sections: tuple[Section, ...]
    turns: tuple[tuple[Role, str], ...]
    locale: Locale

    @property
    def system(self) -> str:
        """The system text as every provider sends it."""
        return "\n\n".join(s.text for s in self.sections)


@dataclass(frozen=True, slots=True)
class StructuredPrompt:
    """A request for JSON that follows `schema`.

    `payload` is a JSON document in which Hangul stands as it is and is never escaped.
    """

    task: Task
    instructions: str
    payload: str
    schema: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which model serves a call: a provider's name, its model and its parameters.

    The providers of language models share the parameters `temperature`, `max_output_tokens` and
    `thinking_budget` (tokens; 0 turns thinking off where the model allows it). A provider may know
    others, and passes over those that it does not know.
    """

    provider: str
    model: str
    parameters: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Assignment:
    """A row of the task table: the models of a task in the order in which they are tried.

    `next` is the embedding model that is to take over from the first choice. Until it has, both
    embed every document.
    """

    task: Task
    choices: tuple[ModelChoice, ...]
    next: ModelChoice | None = None


@dataclass(frozen=True, slots=True)
class Finish:
    """How a stream ended. `model` is the name the provider reported, or the one asked for."""

    reason: FinishReason
    usage: Usage
    model: str


@dataclass(frozen=True, slots=True)
class StructuredReply:
    """The model's raw text for a `StructuredPrompt`, not yet validated."""

    text: str
    usage: Usage
    model: str


@dataclass(frozen=True, slots=True)
class Embeddings:
    """One unit vector per text, in order."""

    vectors: tuple[Vector, ...]
    usage: Usage
    model: str


@dataclass(frozen=True, slots=True)
class ModelUse:
    """One provider call, for `ops.usage`.

    `outcome` is how a stream finished, "ok" for any other answer, or the code of an error.
    """

    task: Task
    provider: str
    model: str
    usage: Usage
    latency_ms: int
    outcome: str
