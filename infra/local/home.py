"""The folder of a laptop run: what lies where, and who may use it."""

import fcntl
import hashlib
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from infra.local.errors import CannotRun

LONGEST_SOCKET = 100
"""Bytes of a Unix socket's path, at most; the limits of the kernels are 104 (macOS) and 108
(Linux)."""

_LONGEST_NAME = len("/.s.PGSQL.5432.lock")
"""Bytes of the longest name in that folder, at most, with its slash."""
_UNSPEAKABLE = set(',"\\%?#&\n')
"""Characters that mean something else in a connection URL or in a server's option."""


@dataclass(frozen=True, slots=True)
class Home:
    """The folder `GIEOK_HOME`, by its absolute path.

    A folder that was there before keeps its mode; what we put into it is closed to other users.
    """

    folder: Path

    @classmethod
    def open(cls, folder: Path) -> "Home":
        """Make the folder if it is missing. Raises `CannotRun` when it cannot be written to."""
        home = cls(folder.resolve())
        try:
            for each in (home.folder, home.logs):
                each.mkdir(mode=0o700, parents=True, exist_ok=True)
            home.lock.touch(mode=0o600)
        except OSError as error:
            raise CannotRun(
                f"cannot write to {home.folder} ({error.strerror}); set GIEOK_HOME to another one"
            ) from error
        return home

    @property
    def lock(self) -> Path:
        """The file that the one run which may use the folder holds; it names the run's process."""
        return self.folder / "lock"

    @property
    def logs(self) -> Path:
        """The folder of the logs, one file for each process."""
        return self.folder / "logs"

    @property
    def database(self) -> Path:
        """The folder of PostgreSQL's data."""
        return self.folder / "postgres"

    @property
    def children(self) -> Path:
        """The file that names the processes of the run; a killed run leaves it behind."""
        return self.folder / "children.jsonl"

    @property
    def key_file(self) -> Path:
        """The file of the key that wraps the users' data keys."""
        return self.folder / "key"

    @property
    def dev_key(self) -> Path:
        """The file of the key that signs the laptop's own tokens."""
        return self.folder / "dev-key.pem"

    @property
    def assigned(self) -> Path:
        """The file that says which models the last run assigned to the tasks."""
        return self.folder / "assigned.json"

    @contextmanager
    def sockets(self) -> Iterator[Path]:
        """A folder of mode 0700 for Unix sockets, which is removed afterwards.

        It is inside the home, or in /tmp when its path would be too long or hold a character that
        URLs do not take. Raises `CannotRun` when the one in /tmp is somebody else's.
        """
        here = self.folder / "run"
        too_long = len(os.fsencode(here)) + _LONGEST_NAME > LONGEST_SOCKET
        if too_long or _UNSPEAKABLE & set(str(here)):
            name = hashlib.sha256(os.fsencode(here)).hexdigest()[:16]
            here = Path("/tmp") / f"gieok-{os.geteuid()}-{name}"  # noqa: S108 - checked to be ours below
        here.mkdir(mode=0o700, exist_ok=True)
        found = here.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            raise CannotRun(f"{here} is not our folder: remove it, or set GIEOK_HOME")
        here.chmod(0o700)
        try:
            yield here
        finally:
            shutil.rmtree(here, ignore_errors=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep the home for one run. Raises `CannotRun` when another run that lives has it."""
        with self.lock.open("a+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                file.seek(0)
                raise CannotRun(
                    f"another run (process {file.read().strip()}) uses {self.folder};"
                    " stop it, or set GIEOK_HOME and GIEOK_PORT for a second one"
                ) from error
            file.truncate(0)
            file.write(f"{os.getpid()}\n")
            file.flush()
            yield
