"""What an error tells to whom."""

from collections.abc import Iterator

import pytest

from gieok.conversation.converse import failed
from gieok.errors import (
    BadRequest,
    Conflict,
    DatabaseUnavailable,
    DecryptionFailed,
    GieokError,
    KeyDestroyed,
    NotFound,
    RateLimited,
)

OF_THE_REQUEST = (BadRequest, NotFound, Conflict, RateLimited, KeyDestroyed)


def tree(kind: type[GieokError]) -> Iterator[type[GieokError]]:
    """The class and all below it."""
    yield kind
    for below in kind.__subclasses__():
        yield from tree(below)


@pytest.mark.parametrize("kind", list(tree(GieokError)))
def test_a_client_is_told_what_is_of_its_request_and_nothing_of_our_house(
    kind: type[GieokError],
) -> None:
    assert kind.of_request == issubclass(kind, OF_THE_REQUEST)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (DecryptionFailed("privacy.user_keys.wrapped"), ""),
        (DatabaseUnavailable("57014"), ""),
        (NotFound("character"), "no such character"),
        (BadRequest("timeZone: not an IANA time zone"), "timeZone: not an IANA time zone"),
    ],
)
def test_an_event_of_failure_shows_nothing_of_our_house(error: GieokError, told: str) -> None:
    assert failed("req_1", error).message == told
