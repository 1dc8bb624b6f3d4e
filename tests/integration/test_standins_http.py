"""Sockets that the supervisor binds and its children serve on."""

import errno
import socket

import pytest
from starlette.responses import PlainTextResponse

from infra.local.servers import http_server


def test_a_port_somebody_listens_on_is_not_to_be_had() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        with pytest.raises(OSError, match="in use") as refused:
            http_server.bind(taken.getsockname()[1])
        assert refused.value.errno == errno.EADDRINUSE


def test_a_bound_port_answers_from_when_it_is_served_until_it_no_longer_is() -> None:
    bound = http_server.bind()
    url = http_server.url_of(bound)
    assert not http_server.answers(url)
    with http_server.serving(PlainTextResponse("hello"), bound):
        assert http_server.answers(url)
    assert not http_server.answers(url)


def test_an_inherited_socket_is_known_as_tcp_so_that_small_pieces_are_not_held_back() -> None:
    """Where asyncio is not told, it leaves Nagle's algorithm on: 40 ms for every delta."""
    with http_server.bind() as bound:
        inherited = http_server.inherited(str(bound.fileno()))
        assert bound.proto == inherited.proto == socket.IPPROTO_TCP
        assert inherited.getsockname() == bound.getsockname()
        inherited.detach()
