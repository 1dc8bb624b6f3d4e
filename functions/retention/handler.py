"""Schedule → sweep."""

import asyncio
from dataclasses import asdict
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from gieok import bootstrap, settings, telemetry
from gieok.engine import SweepEngine
from gieok.sweep import sweep


@cache
def _environment() -> tuple[asyncio.Runner, SweepEngine]:
    """One event loop and one engine per execution environment, made at the first event."""
    return asyncio.Runner(), bootstrap.build_sweep(settings.read("sweep"))


def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, int]:
    """One sweep; the answer is its counts."""
    runner, engine = _environment()
    try:
        return asdict(runner.run(sweep(engine)))
    except Exception as error:
        telemetry.failure("sweep_failed", error)
        raise
