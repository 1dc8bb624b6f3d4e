"""Reading a request's body within its bounds; a refusal repeats no word of what was sent."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.inspect import ListType, LiteralType, StructType, Type, UnionType, type_info
from starlette.requests import ClientDisconnect, Request

from functions.chat.problems import BodyTooLarge, MalformedBody
from gieok.errors import BadRequest

LARGEST = 128 * 1024
"""Bytes of a body, at most: 8,000 emoji take 96,000 when they are spelled as escapes."""

_QUOTING = ("Invalid enum value", "Object contains unknown field")
"""Beginnings of those messages of msgspec that repeat a value or a field's name. All others name
types and places only."""
_PLACE = re.compile(r" - at `\$([\w.\[\]]+)`\Z")

T = TypeVar("T", bound=msgspec.Struct)


async def read(request: Request, shape: type[T]) -> T:
    """Read the body of a request as JSON of a shape.

    Raises `BodyTooLarge`, `MalformedBody`, and `BadRequest` naming the field that is wrong.
    """
    raw = b""
    try:
        async for chunk in request.stream():
            raw += chunk
            if len(raw) > LARGEST:
                raise BodyTooLarge(f"at most {LARGEST} bytes")
    except ClientDisconnect:
        # A client's doing, which must not count as a bug of ours; nobody reads the answer.
        raise MalformedBody("the body was not sent whole") from None
    return decode(raw, shape)


def decode(raw: bytes, shape: type[T]) -> T:
    """Decode JSON of a shape. Raises `MalformedBody`, and `BadRequest` naming the wrong field."""
    try:
        return msgspec.json.decode(raw, type=shape)
    except msgspec.ValidationError as error:
        raise BadRequest(_refusal(str(error), type_info(shape))) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise MalformedBody("the body is not JSON in UTF-8") from None


def _refusal(said: str, root: Type) -> str:
    """Why a body is refused. Where msgspec repeats what was sent, this says what is allowed."""
    if not said.startswith(_QUOTING):
        return said
    place = _PLACE.search(said)
    path = re.sub(r"\[\d+\]", "[]", place[1]).removeprefix(".") if place else ""
    # A field's name may look like a place; what leads nowhere is a field of the whole body.
    rule = _rule(_inside([root], path.replace("[]", ".[]").split(".")))
    return f"{path}: {rule}" if rule else _rule([root])


def _inside(nodes: Sequence[Type], steps: Sequence[str]) -> list[Type]:
    """The types at a place, "[]" for an item; none where there is no such place."""
    found = [*nodes]
    for step in steps:
        found = [inner for node in _alternatives(found) for inner in _children(node, step)]
    return found


def _children(node: Type, step: str) -> list[Type]:
    if isinstance(node, StructType):
        return [f.type for f in node.fields if f.encode_name == step]
    return [node.item_type] if isinstance(node, ListType) and step == "[]" else []


def _alternatives(nodes: Iterable[Type]) -> list[Any]:
    return [t for n in nodes for t in (n.types if isinstance(n, UnionType) else (n,))]


def _rule(nodes: Iterable[Type]) -> str:
    """What these types allow; "" when they allow anything."""
    for node in _alternatives(nodes):
        if isinstance(node, LiteralType):
            return "must be one of " + ", ".join(f'"{v}"' for v in node.values)
        if isinstance(node, StructType):
            return f"unknown field; known are {', '.join(f.encode_name for f in node.fields)}"
    return ""
