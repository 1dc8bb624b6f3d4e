"""Any server that speaks OpenAI's HTTP API: vLLM, llama.cpp, Ollama, text-embeddings-inference, …

Only what these have in common is used: `/chat/completions`, streamed or whole, `response_format`
with a JSON schema, and `/embeddings`.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, TypeVar

import httpx
import msgspec

from gieok.calls import (
    Embeddings,
    FinishReason,
    ModelChoice,
    Prompt,
    Purpose,
    StructuredPrompt,
    StructuredReply,
    Usage,
)
from gieok.errors import ModelMalformed
from gieok.providers.answers import Ending, Pieces, counted, paced, parameters, structured_reply
from gieok.providers.failures import http_failure, translated
from gieok.providers.vectors import unit_vectors

_FINISHES: dict[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "content_filter": "blocked",
}
"""What servers agree on. Some have words of their own for an end (eos, end_turn, stop_sequence)."""


_Shape = TypeVar("_Shape")


class OpenAICompatible:
    """One server as a `LanguageModel` and an `Embedder`.

    `base_url` ends where the paths begin ("http://127.0.0.1:8000/v1"). The prefixes are put before
    the texts to embed ("query: " and "passage: " for e5; none for bge-m3). `width` is the number of
    dimensions the vectors must have; None takes what comes, as long as all are alike.

    Besides the shared parameters of a `ModelChoice` there is `extra_body`, which is merged into the
    request. It is for what only one server understands: Qwen in vLLM stops thinking by
    `{"chat_template_kwargs": {"enable_thinking": false}}`.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str = "",
        query_prefix: str = "",
        document_prefix: str = "",
        width: int | None = None,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._prefixes: dict[Purpose, str] = {"query": query_prefix, "document": document_prefix}
        self._width = width
        self._client: httpx.AsyncClient | None = None

    def preload(self) -> None:
        """Nothing to load: HTTP is all it speaks."""

    async def aclose(self) -> None:
        """Close the connections; the next call opens new ones."""
        if self._client:
            await self._client.aclose()
            self._client = None

    def stream(self, prompt: Prompt, choice: ModelChoice, timeout_s: float) -> Pieces:
        """See `LanguageModel.stream`."""
        return paced(self._pieces(prompt, choice, timeout_s), choice.model, timeout_s)

    async def structured(
        self, prompt: StructuredPrompt, choice: ModelChoice, timeout_s: float
    ) -> StructuredReply:
        """See `LanguageModel.structured`."""
        body = _chat_body(choice, prompt.instructions, [("user", prompt.payload)])
        schema = {"name": prompt.task.lower(), "schema": dict(prompt.schema), "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
        reader = _Reader(choice.model)
        answer = await self._post("/chat/completions", body, choice.model, timeout_s)
        text = reader.read(_decoded(answer, _Completion, choice.model))
        return structured_reply(text, reader.ending.finish(), choice.model)

    async def embed(
        self, texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        """See `Embedder.embed`."""
        body = {
            "model": choice.model,
            "input": [self._prefixes[purpose] + text for text in texts],
            "encoding_format": "float",
            **parameters(choice).extra_body,
        }
        answer = await self._post("/embeddings", body, choice.model, timeout_s)
        found = _decoded(answer, _EmbeddingList, choice.model)
        rows = [item.embedding for item in sorted(found.data, key=lambda item: item.index)]
        vectors = unit_vectors(rows, len(texts), self._width, choice.model)
        used = found.usage
        usage = _usage(used) if used else Usage()
        return Embeddings(vectors, usage, choice.model)

    async def _pieces(self, prompt: Prompt, choice: ModelChoice, timeout_s: float) -> Pieces:
        body = _chat_body(choice, prompt.system, prompt.turns)
        body |= {"stream": True, "stream_options": {"include_usage": True}}
        reader = _Reader(choice.model)
        async with aclosing(self._events(body, choice.model, timeout_s)) as events:
            async for event in events:
                if text := reader.read(_decoded(event, _Completion, choice.model)):
                    yield text
        yield reader.ending.finish()

    async def _events(
        self, body: Mapping[str, object], model: str, timeout_s: float
    ) -> AsyncGenerator[bytes, None]:
        """The data of each server-sent event, up to `[DONE]` or the end."""
        with translated(model):
            async with self._http().stream(
                "POST", "/chat/completions", json=body, timeout=timeout_s
            ) as response:
                _require_success(response, model)
                async for line in _lines(response.aiter_bytes()):
                    data = line.removeprefix(b"data:").strip()
                    if data == b"[DONE]":
                        return
                    if line.startswith(b"data:"):
                        yield data

    async def _post(
        self, path: str, body: Mapping[str, object], model: str, timeout_s: float
    ) -> bytes:
        with translated(model):
            async with asyncio.timeout(timeout_s):
                response = await self._http().post(path, json=body, timeout=timeout_s)
        _require_success(response, model)
        return response.content

    def _http(self) -> httpx.AsyncClient:
        self._client = self._client or httpx.AsyncClient(
            base_url=self._base_url, headers=self._headers
        )
        return self._client


def _chat_body(
    choice: ModelChoice, system: str, turns: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    given = parameters(choice)
    spoken = [("system", system)] * bool(system) + list(turns)
    known = {
        "model": choice.model,
        "messages": [{"role": role, "content": text} for role, text in spoken],
        "temperature": given.temperature,
        "max_tokens": given.token_limit,
    }
    return {k: v for k, v in known.items() if v is not None} | given.extra_body


class _Fragment(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    delta: _Fragment | None = None
    message: _Fragment | None = None
    finish_reason: str | None = None


class _Details(msgspec.Struct):
    reasoning_tokens: int | None = None


class _TokenCounts(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    completion_tokens_details: _Details | None = None


class _Completion(msgspec.Struct):
    """A whole answer or one chunk of it. Servers report a failure inside a stream as `error`."""

    choices: list[_Choice] = []
    usage: _TokenCounts | None = None
    model: str | None = None
    error: dict[str, object] | None = None


class _Embedding(msgspec.Struct):
    embedding: list[float]
    index: int = 0


class _EmbeddingList(msgspec.Struct):
    data: list[_Embedding]
    usage: _TokenCounts | None = None


class _Reader:
    """Reads the chunks of one answer: the text of each, and in `ending` how they end."""

    def __init__(self, model: str) -> None:
        self.ending = Ending(model, _FINISHES, otherwise="stop")

    def read(self, chunk: _Completion) -> str:
        """The text of a chunk, "" when it has none. Raises the `ModelError` it reports."""
        if chunk.error is not None:
            code = chunk.error.get("code")
            raise http_failure(code if isinstance(code, int) else None, self.ending.asked)
        ending = self.ending
        ending.model = chunk.model or ending.model
        ending.usage = _usage(chunk.usage) if chunk.usage else ending.usage
        if not chunk.choices:
            return ""
        first = chunk.choices[0]
        said = first.delta or first.message or _Fragment()
        ending.reason = first.finish_reason or ending.reason
        if said.refusal:
            ending.reason = "content_filter"
        return said.content or ""


def _usage(counts: _TokenCounts) -> Usage:
    details = counts.completion_tokens_details
    return counted(
        counts.prompt_tokens,
        counts.completion_tokens,
        details.reasoning_tokens if details else None,
        counts.total_tokens,
    )


async def _lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Lines that end with CR, LF or both. What follows the last line end was cut and is left out.

    httpx's own lines also break at U+2028 and U+0085, which JSON may hold.
    """
    rest = b""
    async for chunk in chunks:
        *whole, rest = (rest + chunk).replace(b"\r", b"\n").split(b"\n")
        for line in whole:
            yield line


def _decoded(data: bytes, kind: type[_Shape], model: str) -> _Shape:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.ValidationError:
        raise ModelMalformed(model, "an answer of another shape") from None
    except msgspec.DecodeError:
        return _with_halves(data, kind, model)


def _with_halves(data: bytes, kind: type[_Shape], model: str) -> _Shape:
    """The same for JSON that spells half a character, whose other half comes in the next chunk."""
    try:
        return msgspec.convert(json.loads(data), kind)
    except (ValueError, RecursionError):
        raise ModelMalformed(model, "an answer of another shape") from None


def _require_success(response: httpx.Response, model: str) -> None:
    if response.status_code != httpx.codes.OK:
        raise http_failure(response.status_code, model)
