"""The OpenAPI 3.1 document, generated from the operations themselves."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from functions.chat.endpoint import Operation
from functions.chat.problems import Problem
from gieok import __version__
from gieok.conversation.events import Delta, Done, Failed, Meta

_EVENTS = (Meta, Delta, Done, Failed)


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """The API's contract as plain JSON values."""
    shapes: list[type] = [Problem, *_EVENTS]
    shapes += [s for o in operations for s in (o.takes, o.gives) if isinstance(s, type)]
    _, schemas = msgspec.json.schema_components(
        list(dict.fromkeys(shapes)), ref_template="#/components/schemas/{name}"
    )
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Gieok", "version": __version__},
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
            },
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": operation.description,
        "parameters": _parameters(operation),
        "responses": {
            str(operation.status): _success(operation),
            "default": {
                "description": "A problem (RFC 9457)",
                "content": {"application/problem+json": {"schema": _ref(Problem)}},
            },
        },
    }
    if operation.takes:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _ref(operation.takes)}},
        }
    return described


def _parameters(operation: Operation) -> list[dict[str, Any]]:
    in_path = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", operation.path)
    ]
    in_query = [
        {"name": name, "in": "query", "schema": {"type": "string"}} for name in operation.query
    ]
    return in_path + in_query


def _success(operation: Operation) -> dict[str, Any]:
    if operation.gives is None:
        return {"description": operation.summary}
    if isinstance(operation.gives, str):
        schema: dict[str, Any] = {
            "type": "string",
            "description": "Events: one meta, then deltas, then one done or error; comments are"
            " heartbeats. Their data: " + ", ".join(e.__name__ for e in _EVENTS),
        }
        return {"description": operation.summary, "content": {operation.gives: {"schema": schema}}}
    content = {"application/json": {"schema": _ref(operation.gives)}}
    return {"description": operation.summary, "content": content}


def _ref(shape: type) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{shape.__name__}"}
