"""Each alarm of the template watches a count that the functions really emit, as they emit it."""

import json
from typing import Any

import pytest

from gieok.retention.sweep import sweep
from tests.support.parking import fail, one_message
from tests.support.sweeping import aged
from tests.support.template import Template, alarms_of, load
from tests.support.world import World


def counts(output: str) -> set[tuple[str, str, frozenset[tuple[str, str]]]]:
    """Of each count in the embedded metric format: namespace, name, dimensions with values."""
    found = set()
    for line in filter(lambda text: text.startswith('{"_aws"'), output.splitlines()):
        record: dict[str, Any] = json.loads(line)
        for directive in record["_aws"]["CloudWatchMetrics"]:
            for names in directive["Dimensions"]:
                dimensions = frozenset((name, record[name]) for name in names)
                found |= {
                    (directive["Namespace"], metric["Name"], dimensions)
                    for metric in directive["Metrics"]
                }
    return found


def watched(alarm: Template) -> tuple[str, str, frozenset[tuple[str, str]]]:
    """The same of an alarm; CloudWatch asks for all of them to be equal."""
    dimensions = frozenset((d["Name"], d["Value"]) for d in alarm["Dimensions"])
    return alarm["Namespace"], alarm["MetricName"], dimensions


async def test_a_window_that_is_parked_and_then_lost_sets_off_every_alarm(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    user, haru = await one_message(world)
    await fail(world, user, haru, 4)
    capsys.readouterr()
    assert await world.generate(user, haru) == ["parked", "not_due"]
    await sweep(world.sweeper)
    await aged(world, user, 24.1)
    await sweep(world.sweeper)
    emitted = counts(capsys.readouterr().out)
    assert {watched(alarm) for alarm in alarms_of(load())} <= emitted
