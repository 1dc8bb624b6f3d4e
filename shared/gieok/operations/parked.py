"""Look at parked windows, have them tried again: `python -m gieok.operations.parked --list`.

A retry opens what is left of a window; the sweep then hints the worker, which reads it like any
other. Nothing here sees what was said.
"""

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from typing import Literal
from uuid import UUID

from gieok import settings
from gieok.errors import GieokError
from gieok.store import parking
from gieok.store.database import Database
from gieok.store.named_database import OPERATORS, NamedDatabase
from gieok.store.parking import ParkedWindow

PAGE = 200
_START = UUID(int=0)

All = Literal["all"]


async def list_parked(operator: Database, page: int = PAGE) -> AsyncIterator[ParkedWindow]:
    """All parked windows, oldest first. Raises `DatabaseUnavailable`."""
    after = _START
    while True:
        query = parking.list_parked_windows(after, page)
        windows = (await operator.run(None, query))[query]
        for window in windows:
            yield window
        if len(windows) < page:
            return
        after = windows[-1].id


async def retry(operator: Database, parked_id: UUID) -> tuple[bool, str]:
    """Have a window read again: whether it will be, and one line for people.

    Other windows stay as they are. Doing it again changes nothing. Raises `DatabaseUnavailable`.
    """
    query = parking.retry_parked_window(parked_id)
    superseded = parking.supersede_parked_scope(parked_id)
    retried = (await operator.run(None, superseded, query))[query]
    if retried is None:
        return False, f"{parked_id}: no such window was parked"
    if not retried.kept:
        return False, f"{parked_id}: its messages are gone, nothing is left to be read"
    if not retried.unread:
        return False, f"{parked_id}: what is left of it was remembered or changed since"
    return True, f"{parked_id}: {retried.unread} messages will be read again"


async def retry_all(operator: Database) -> AsyncIterator[tuple[bool, str]]:
    """Retry every parked window that has messages left. Raises `DatabaseUnavailable`."""
    async for window in list_parked(operator):
        if window.kept:
            yield await retry(operator, window.id)


def line(window: ParkedWindow) -> str:
    """A window for people to read: its id, when it was parked, whose it is, its positions, how many
    messages are left, and the reason."""
    characters = ",".join(str(c) for c in window.scope.character_ids)
    of = "" if window.turns is None else f" of {window.turns}"
    left = f"{window.kept}{of} messages kept" if window.kept else "messages gone"
    return (
        f"{window.id}  {window.parked_at:%Y-%m-%d %H:%M}Z  user {window.scope.user_id}"
        f"  characters {characters}  positions {window.first_position}-{window.last_position}"
        f"  {left}  {window.attempts} tries  {window.reason}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line as the operator; 1 when a named window cannot be tried again."""
    options = _options(arguments)
    try:
        return asyncio.run(_run(options.retry))
    except GieokError as error:
        print(f"parked: {error}", file=sys.stderr)
        return 1


async def _run(chosen: "list[UUID | All] | None") -> int:
    """Retry what was chosen, or list when nothing was."""
    operator = NamedDatabase(OPERATORS, settings.read_operator(), 1)
    try:
        if chosen is None:
            return await _print_list(operator)
        results = [await retry(operator, c) for c in chosen if c != "all"]
        if "all" in chosen:
            results += [r async for r in retry_all(operator)]
    finally:
        await operator.close()
    print("\n".join(said for _, said in results) or "nothing is left to be tried again")
    return 0 if all(will for will, _ in results) else 1


async def _print_list(operator: Database) -> int:
    count = 0
    async for window in list_parked(operator):
        print(line(window))
        count += 1
    if not count:
        print("no window is parked")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m gieok.operations.parked", description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--list", action="store_true", help="show all, the oldest first")
    what.add_argument("--retry", type=_choice, nargs="+", metavar="ID", help="or `all`")
    return parser.parse_args(arguments)


def _choice(text: str) -> "UUID | All":
    try:
        return "all" if text == "all" else UUID(text)
    except ValueError:
        raise argparse.ArgumentTypeError("an id of --list is needed, or `all`") from None


if __name__ == "__main__":
    sys.exit(main())
