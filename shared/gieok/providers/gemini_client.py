"""Gemini's wire: what is sent through google-genai, and how its answers are read.

Importing this loads the SDK (0.4 s); `gemini.Gemini` does so when it is first asked. What the SDK
and the API do unasked, and what is done about it here:

- Without a timeout the SDK waits for ever. With one it also sends it to the server as
  `X-Server-Timeout`. There, less than 10 s is refused, and a stream would end as a whole after the
  time that is meant for one piece. So we set the header apart from our own patience.
- With aiohttp installed it repeats a failed connection after a random sleep, and always continues
  an unfinished answer by further requests. Both are off: one call is one request.
- Thoughts count against `max_output_tokens`: see `Parameters.token_limit`. Without a
  `thinking_budget` the model decides how much to think, and nothing can be set aside.
- Only the last usage of a stream is the whole answer's.
- To `gemini-embedding-2` a list of strings is one text of many parts, so each text is sent as a
  `Content` of its own. It reads the purpose from a prefix of the text; `gemini-embedding-001` has a
  field for it.
"""

import asyncio
import math
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing, contextmanager

import httpx
from google.genai import Client, types
from google.genai.errors import APIError, UnknownApiResponseError

from gieok.calls import (
    Embeddings,
    Finish,
    FinishReason,
    ModelChoice,
    Prompt,
    Purpose,
    StructuredPrompt,
    StructuredReply,
    Usage,
)
from gieok.errors import ModelError, ModelMalformed, ModelUnavailable
from gieok.providers.answers import (
    Ending,
    Parameters,
    Pieces,
    counted,
    parameters,
    structured_reply,
)
from gieok.providers.failures import http_failure, translated
from gieok.providers.vectors import unit_vectors

_LEAST_SERVER_TIMEOUT_S = 10
"""Seconds of an `X-Server-Timeout`, at least: the API refuses a shorter one with 400."""
_STREAM_SERVER_TIMEOUT_S = 600
"""Seconds that the server is told for a whole stream. The caller decides how long one may really
take."""
_PREFIXES: dict[Purpose, str] = {
    "document": "title: none | text: ",
    "query": "task: search result | query: ",
}
"""The retrieval prefixes of gemini-embedding-2 (ai.google.dev/gemini-api/docs/embeddings)."""
_TASK_TYPES: dict[Purpose, str] = {"document": "RETRIEVAL_DOCUMENT", "query": "RETRIEVAL_QUERY"}
_FINISHES: dict[str, FinishReason] = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    "CONTINUATION": "length",
    **dict.fromkeys(
        ("SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"), "blocked"
    ),
    **dict.fromkeys(("ESCALATION", "PUP_LIMITED_DISABLED", "MODEL_ARMOR"), "blocked"),
}


class GeminiClient:
    """One SDK client, with an HTTP client of its own. The methods are those of `gemini.Gemini`."""

    def __init__(self, api_key: str, base_url: str, dimensions: int, api_version: str) -> None:
        # An HTTP client of our own also keeps the SDK from making an SSL context twice.
        self._http = httpx.AsyncClient()
        self._dimensions = dimensions
        options = types.HttpOptions(
            base_url=base_url or None, api_version=api_version, httpx_async_client=self._http
        )
        self._models = Client(api_key=api_key, vertexai=False, http_options=options).aio.models

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def pieces(self, prompt: Prompt, choice: ModelChoice, timeout_s: float) -> Pieces:
        """The text of a streamed answer, then its `Finish`."""
        reader = _Reader(choice.model)
        async with aclosing(self._chunks(prompt, choice, timeout_s)) as chunks:
            async for chunk in chunks:
                if text := reader.read(chunk):
                    yield text
        yield reader.finish()

    async def structured(
        self, prompt: StructuredPrompt, choice: ModelChoice, timeout_s: float
    ) -> StructuredReply:
        """A whole answer in JSON."""
        config = _config(choice, prompt.instructions)
        config.response_mime_type = "application/json"
        config.response_json_schema = dict(prompt.schema)
        config.http_options = _patience(timeout_s, timeout_s)
        with _translated(choice.model):
            async with asyncio.timeout(timeout_s):
                response = await self._models.generate_content(
                    model=choice.model, contents=prompt.payload, config=config
                )
        reader = _Reader(choice.model)
        text = reader.read(response)
        return structured_reply(text, reader.finish(), choice.model)

    async def embed(
        self, texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        """One vector per text."""
        by_prefix = not choice.model.startswith("gemini-embedding-001")
        prefix = _PREFIXES[purpose] if by_prefix else ""
        config = types.EmbedContentConfig(
            task_type=None if by_prefix else _TASK_TYPES[purpose],
            output_dimensionality=self._dimensions,
            http_options=_patience(timeout_s, timeout_s),
        )
        contents: types.ContentListUnion = [_content("user", prefix + text) for text in texts]
        with _translated(choice.model):
            async with asyncio.timeout(timeout_s):
                response = await self._models.embed_content(
                    model=choice.model, contents=contents, config=config
                )
        rows = [e.values or [] for e in response.embeddings or []]
        vectors = unit_vectors(rows, len(texts), self._dimensions, choice.model)
        used = response.usage_metadata
        usage = (
            counted(used.prompt_token_count, None, None, used.total_token_count)
            if used
            else Usage()
        )
        return Embeddings(vectors, usage, choice.model)

    async def _chunks(
        self, prompt: Prompt, choice: ModelChoice, timeout_s: float
    ) -> AsyncGenerator[types.GenerateContentResponse, None]:
        config = _config(choice, prompt.system)
        config.http_options = _patience(timeout_s, _STREAM_SERVER_TIMEOUT_S)
        contents: types.ContentListUnion = [
            _content("model" if role == "assistant" else "user", text)
            for role, text in prompt.turns
        ]
        with _translated(choice.model):
            stream = await self._models.generate_content_stream(
                model=choice.model, contents=contents, config=config
            )
            async for chunk in stream:
                yield chunk


def _config(choice: ModelChoice, system: str) -> types.GenerateContentConfig:
    given = parameters(choice)
    return types.GenerateContentConfig(
        system_instruction=system or None,
        temperature=given.temperature,
        max_output_tokens=given.token_limit,
        thinking_config=_thinking(given),
        automatic_continuation=False,
    )


def _thinking(given: Parameters) -> types.ThinkingConfig | None:
    """The API takes a level or a budget, never both; the newest models know levels only."""
    if given.thinking_level is not None:
        return types.ThinkingConfig(thinking_level=types.ThinkingLevel(given.thinking_level))
    if given.thinking_budget is not None:
        return types.ThinkingConfig(thinking_budget=given.thinking_budget)
    return None


def _content(role: str, text: str) -> types.Content:
    return types.Content(role=role, parts=[types.Part(text=text)])


def _patience(wait_s: float, server_s: float) -> types.HttpOptions:
    """Options by which each read takes at most `wait_s` here, and the server itself gives up after
    `server_s`; both are seconds."""
    server = max(math.ceil(server_s), _LEAST_SERVER_TIMEOUT_S)
    return types.HttpOptions(
        timeout=max(math.ceil(wait_s * 1000), 1), headers={"X-Server-Timeout": str(server)}
    )


class _Reader:
    """Reads the responses of one call: the text of each, and at the end how they ended."""

    def __init__(self, model: str) -> None:
        self._ending = Ending(model, _FINISHES)
        self._blocked = False

    def read(self, response: types.GenerateContentResponse) -> str:
        """The text of a response or chunk, without thoughts; "" when it has none."""
        ending = self._ending
        ending.model = response.model_version or ending.model
        feedback = response.prompt_feedback
        self._blocked |= bool(feedback and feedback.block_reason)
        if used := response.usage_metadata:
            ending.usage = counted(
                used.prompt_token_count,
                used.candidates_token_count,
                used.thoughts_token_count,
                used.total_token_count,
            )
        if not response.candidates:
            return ""
        first = response.candidates[0]
        ending.reason = str(first.finish_reason.value) if first.finish_reason else ending.reason
        parts = (first.content.parts if first.content else None) or []
        return "".join(p.text for p in parts if p.text and not p.thought)

    def finish(self) -> Finish:
        """See `Ending.finish`. A refused prompt comes without a finish reason and is given one."""
        if self._blocked:
            self._ending.reason = "SAFETY"
        return self._ending.finish()


@contextmanager
def _translated(model: str) -> Iterator[None]:
    """Raise everything that the SDK is known to raise as a `ModelError` of this model."""
    error: ModelError
    try:
        with translated(model):
            yield
    except APIError as caught:
        error = http_failure(caught.code, model)
    except UnknownApiResponseError:
        error = ModelUnavailable(model, "a damaged answer")
    except (ValueError, TypeError, AttributeError, KeyError):
        # The SDK checks nothing before it takes an answer apart.
        error = ModelMalformed(model, "an answer of another shape")
    else:
        return
    raise error from None
