"""Pages of a list, cut by what is stored and not by what of it can be read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from uuid import UUID

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Items in order; `next` is the id to go on after, None on the last page."""

    items: tuple[T, ...]
    next: UUID | None


def page_of(stored: Sequence[T], limit: int, id_of: Callable[[T], UUID]) -> Page[T]:
    """The page that begins what is stored: at most `limit` of it.

    Ask the store for one item more than `limit`: that one tells whether there is a next page.
    """
    items = tuple(stored[:limit])
    return Page(items, id_of(items[-1]) if len(stored) > limit else None)
