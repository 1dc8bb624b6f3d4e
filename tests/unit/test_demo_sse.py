"""The demonstration reads a stream of server-sent events as the standard says."""

from collections.abc import AsyncIterator

import pytest

from infra.local.demo.sse import Event, events


async def _read(*lines: str) -> list[Event]:
    async def stream() -> AsyncIterator[str]:
        for line in lines:
            yield line

    return [event async for event in events(stream())]


async def test_an_event_has_its_name_and_its_data() -> None:
    assert await _read("id: 1", "event: delta", 'data: {"text":"응"}', "") == [
        Event("delta", '{"text":"응"}')
    ]


async def test_data_lines_are_joined_and_only_one_leading_space_is_dropped() -> None:
    assert await _read("data:  a", "data:b", "data", "") == [Event("message", " a\nb\n")]


async def test_comments_unknown_fields_and_empty_events_are_passed_over() -> None:
    lines = (": open", "", "retry: 3", "event: ping", "", ": beat", "data: x", "")
    assert await _read(*lines) == [Event("message", "x")]


async def test_a_name_holds_for_one_event() -> None:
    lines = ("event: meta", "data: 1", "", "data: 2", "")
    assert await _read(*lines) == [Event("meta", "1"), Event("message", "2")]


@pytest.mark.parametrize("cut", [("event: done",), ("event: done", "data: {}")])
async def test_an_event_cut_short_is_dropped(cut: tuple[str, ...]) -> None:
    assert await _read("data: 1", "", *cut) == [Event("message", "1")]
