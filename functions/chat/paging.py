"""How lists page over HTTP: `limit` items, from behind `cursor`, and where the next page starts."""

from typing import Any

from gieok.ids import Kind, show
from gieok.paging import Page

QUERY = ("cursor", "limit")
"""The query parameters of every list that pages."""


def next_cursor(kind: Kind, page: Page[Any]) -> str | None:
    """The id behind which the next page starts; None at the end of the list."""
    return show(kind, page.next) if page.next else None
