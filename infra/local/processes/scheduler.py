"""In place of EventBridge Scheduler: invokes the retention sweep again and again.

As a process of its own: ``python -m infra.local.processes.scheduler``, in the sweep's environment.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from functions.retention.handler import handler as retention
from infra.local.servers.aws import REGION
from infra.local.servers.invocation import ACCOUNT, Invocation

FIRST_S = 5.0
"""Seconds from the start to the first sweep."""
EVERY_S = 60.0
"""Seconds between two sweeps. They are fewer than in the cloud, since on a laptop somebody is
watching."""
TIMEOUT_S = 300
"""Seconds that the retention sweep may take, as in template.yaml."""

Handler = Callable[[dict[str, Any], Any], object]


def event_at(when: datetime) -> dict[str, Any]:
    """The event that EventBridge Scheduler sends when a schedule has no input of its own."""
    return {
        "version": "0",
        "id": str(uuid4()),
        "detail-type": "Scheduled Event",
        "source": "aws.scheduler",
        "account": ACCOUNT,
        "time": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "region": REGION,
        "resources": [f"arn:aws:scheduler:{REGION}:{ACCOUNT}:schedule/default/gieok-sweep"],
        "detail": "{}",
    }


def invoke(handler: Handler, when: datetime) -> bool:
    """Invoke the sweep once and say whether it succeeded. After a failure the next one is due."""
    try:
        handler(event_at(when), Invocation("gieok-sweep", TIMEOUT_S))
    except Exception as error:  # noqa: BLE001 - Lambda's edge: whatever it was, the next run is due
        print(f"the sweep failed: {type(error).__name__}", flush=True)
        return False
    return True


def main() -> None:
    """Invoke the sweep on schedule until a signal ends the process."""
    time.sleep(FIRST_S)
    while True:
        invoke(retention, datetime.now(UTC))
        time.sleep(EVERY_S)


if __name__ == "__main__":
    main()
