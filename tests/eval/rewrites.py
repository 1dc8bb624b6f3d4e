"""Recorded rewrites of questions, as a provider of the task QUERY that answers from them."""

import json
from collections.abc import AsyncGenerator

from gieok.calls import (
    Assignment,
    Finish,
    ModelChoice,
    Prompt,
    StructuredPrompt,
    StructuredReply,
    Usage,
)
from gieok.errors import ModelUnavailable
from tests.eval.window_sets import Rewrite

ASSIGNED = Assignment("QUERY", (ModelChoice("recorded", "rewrites"),))


class Rewrites:
    """A `LanguageModel` that only knows how some questions were once rewritten; it has nothing to
    say of others."""

    def __init__(self) -> None:
        """Nothing is known yet: fill `of` by question."""
        self.of: dict[str, Rewrite] = {}

    async def structured(
        self, prompt: StructuredPrompt, choice: ModelChoice, timeout_s: float
    ) -> StructuredReply:
        """See `ports.LanguageModel`."""
        found = self.of.get(json.loads(prompt.payload)["question"], Rewrite((), ()))
        answer = {"statements": found.statements, "terms": found.terms}
        return StructuredReply(json.dumps(answer, ensure_ascii=False), Usage(), choice.model)

    async def stream(
        self, prompt: Prompt, choice: ModelChoice, timeout_s: float
    ) -> AsyncGenerator[str | Finish, None]:
        """It does not talk."""
        raise ModelUnavailable(choice.model, "only rewrites are recorded")
        yield ""  # makes this a generator

    def preload(self) -> None:
        """Nothing to load."""

    async def aclose(self) -> None:
        """Nothing to close."""
