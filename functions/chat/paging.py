"""How lists page over HTTP: a page has `limit` items from behind `cursor`, and the next cursor."""

from typing import Any

from functions.chat.endpoint import Call
from gieok.errors import BadRequest
from gieok.ids import Kind, show
from gieok.types import Page

QUERY = ("cursor", "limit")
"""The query parameters of every list that pages."""


def next_cursor(kind: Kind, page: Page[Any]) -> str | None:
    """The id behind which the next page starts; None at the end of the list."""
    return show(kind, page.next) if page.next else None


def behind_version(call: Call[Any]) -> int | None:
    """The number of the version behind which a page of versions starts; None for the first page.

    Raises `BadRequest`.
    """
    value = call.request.query_params.get("cursor")
    if value is None:
        return None
    if not (value.isascii() and value.isdecimal() and len(value) < 10):
        raise BadRequest("cursor must be one that a page gave")
    return int(value)
