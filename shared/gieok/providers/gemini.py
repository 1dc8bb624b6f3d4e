"""Gemini as a provider; the SDK is loaded when it is first asked. See `gemini_client`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gieok.calls import Embeddings, ModelChoice, Prompt, Purpose, StructuredPrompt, StructuredReply
from gieok.providers.answers import Pieces, paced

if TYPE_CHECKING:
    from gieok.providers.gemini_client import GeminiClient


class Gemini:
    """The Gemini Developer API as a `LanguageModel` and an `Embedder`.

    `dimensions` is the width that the embedding model is asked for. Besides the shared parameters
    of a `ModelChoice` there is `thinking_level` ("minimal" to "high"). It is sent instead of the
    budget, which then only makes room for thoughts.
    """

    def __init__(
        self,
        api_key: str,
        base_url: str = "",
        dimensions: int = 768,
        # Preview models and the "-latest" names exist on v1beta only; v1 has nothing more.
        api_version: str = "v1beta",
    ) -> None:
        self._options = (api_key, base_url, dimensions, api_version)
        self._opened: GeminiClient | None = None

    def preload(self) -> None:
        """Load the SDK and make the client now (half a second), not in a user's first turn."""
        self._client()

    async def aclose(self) -> None:
        """Close the connections; the next call opens new ones."""
        if self._opened:
            await self._opened.aclose()
            self._opened = None

    def stream(self, prompt: Prompt, choice: ModelChoice, timeout_s: float) -> Pieces:
        """See `LanguageModel.stream`."""
        return paced(self._client().pieces(prompt, choice, timeout_s), choice.model, timeout_s)

    async def structured(
        self, prompt: StructuredPrompt, choice: ModelChoice, timeout_s: float
    ) -> StructuredReply:
        """See `LanguageModel.structured`."""
        return await self._client().structured(prompt, choice, timeout_s)

    async def embed(
        self, texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        """See `Embedder.embed`. The API takes at most 100 texts a call."""
        return await self._client().embed(texts, purpose, choice, timeout_s)

    def _client(self) -> "GeminiClient":
        if self._opened is None:
            # Imported late: google-genai takes 0.4 s, and not every function speaks to Gemini.
            from gieok.providers.gemini_client import GeminiClient  # noqa: PLC0415

            self._opened = GeminiClient(*self._options)
        return self._opened
