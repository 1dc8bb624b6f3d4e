"""This checkout: its folder, a process of it, a port for one."""

import os
import socket
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def python_environment(**more: str) -> dict[str, str]:
    """The environment of a Python process of this checkout."""
    return {**os.environ, "PYTHONPATH": f"{ROOT / 'shared'}:{ROOT}", **more}


def free_port() -> int:
    """A loopback port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
