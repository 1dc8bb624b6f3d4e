"""Pages of a list. They are cut by the rows that are stored, also where a row cannot be read."""

from collections.abc import Callable, Sequence
from typing import TypeVar
from uuid import UUID

from gieok.types import Page

T = TypeVar("T")


def page_of(stored: Sequence[T], limit: int, id_of: Callable[[T], UUID]) -> Page[T]:
    """The page that begins what is stored: at most `limit` of it.

    Ask the store for one item more than `limit`: that one tells whether there is a next page.
    """
    items = tuple(stored[:limit])
    return Page(items, id_of(items[-1]) if len(stored) > limit else None)
