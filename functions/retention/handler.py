"""Run the retention sweep each time the schedule invokes the function."""

from gieok.bootstrap import cold_start

# isort: split
import asyncio
from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, Any

from gieok import settings, telemetry
from gieok.bootstrap.sweep import build_sweep_engine
from gieok.engine import SweepEngine
from gieok.retention.sweep import sweep

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext


@cache
def _environment() -> tuple[asyncio.Runner, SweepEngine]:
    """One event loop and one engine per execution environment, made at the first event."""
    return asyncio.Runner(), build_sweep_engine(settings.read("retention_sweep"))


def handler(event: dict[str, Any], context: "LambdaContext") -> dict[str, int]:
    """Run one sweep and answer with its counts."""
    runner, engine = _environment()
    try:
        return asdict(runner.run(sweep(engine)))
    except Exception as error:
        telemetry.failure("retention_sweep_failed", error)
        raise


cold_start.loaded()
