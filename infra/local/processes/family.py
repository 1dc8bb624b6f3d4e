"""Child processes that never outlive their supervisor, which starts, watches and stops them.

Each child gets a session of its own, so that a Ctrl-C in the terminal reaches the supervisor only.
A warden process ends the children when the supervisor dies, and a file names them for the next run.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import psutil

from infra.local.errors import CannotRun
from infra.local.processes import leftovers
from infra.local.processes.leftovers import Trace

ROOT = Path(__file__).resolve().parents[3]
"""The folder of the clone."""

LONGEST_LOG = 10_000_000
"""Bytes of a log, at most, when a process starts. A longer log is set aside, and replaces the one
that was set aside before."""

PAUSE_S = 0.02
"""Seconds between two looks at what is waited for."""


@dataclass(slots=True)
class Child:
    """A process of ours. `stop_signal` asks it to finish, for which it has `grace_s` seconds.

    `log` is shared with earlier runs; the part of this one begins at byte `log_start`.
    """

    name: str
    process: "subprocess.Popen[bytes]"
    log: Path
    log_start: int
    stop_signal: signal.Signals
    grace_s: float

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self.process.poll() is None

    def stop(self) -> None:
        """Ask it to finish and kill it after its grace; returns when it is gone."""
        if self.alive:
            self.process.send_signal(self.stop_signal)
        try:
            self.process.communicate(timeout=self.grace_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()

    def obituary(self) -> str:
        """One line that says how it ended, what its log said last, and where to read on."""
        code = self.process.wait()
        how = f"exit status {code}" if code >= 0 else signal.Signals(-code).name
        said = self.log.read_bytes()[self.log_start :].decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(said) if line.strip()), "it said nothing")
        return f"{self.name} stopped ({how}): {last[:300]} (see {self.log})"


def _carry_on() -> None:
    """Do nothing, since nobody asks to stop."""


@dataclass(slots=True)
class Family:
    """The children of one supervisor, in the order they were started; the warden is the first.

    Entering ends what an earlier supervisor left behind when it was killed; leaving stops all, the
    last one first. `record` is the file that names the children, `logs` an existing folder. `pulse`
    is called again and again during a wait, and may raise to give up.
    """

    record: Path
    logs: Path
    pulse: Callable[[], None] = _carry_on
    _children: list[Child] = field(default_factory=list)
    _traces: list[Trace] = field(default_factory=list)

    def __enter__(self) -> Self:
        leftovers.end(leftovers.read(self.record))
        self.start("warden", python("infra.local.processes.warden"), stdin=subprocess.PIPE)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for child in reversed(self._children):
            child.stop()
        self.record.unlink(missing_ok=True)

    def start(
        self,
        name: str,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        keep_open: Sequence[int] = (),
        stdin: int = subprocess.DEVNULL,
        stop_signal: signal.Signals = signal.SIGTERM,
        grace_s: float = 10,
    ) -> Child:
        """Start a process that writes into `<name>.log`; `keep_open` are descriptors it inherits.

        Raises `CannotRun` when there is no such program.
        """
        log = self.logs / f"{name}.log"
        with _opened(log) as output:
            log_start = output.tell()
            try:
                process = subprocess.Popen(
                    command,
                    stdin=stdin,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    cwd=ROOT,
                    env=base_environment() if environment is None else environment,
                    pass_fds=keep_open,
                    start_new_session=True,
                )
            except OSError as error:
                raise CannotRun(f"cannot start {name}: {command[0]}: {error.strerror}") from error
        child = Child(name, process, log, log_start, stop_signal, grace_s)
        self._remember(child)
        return child

    def wait(self, child: Child, ready: Callable[[], bool], seconds: float) -> None:
        """Return once `ready` says so. Raises `CannotRun` when the child dies or takes longer."""
        deadline = time.monotonic() + seconds
        while not ready():
            self.pulse()
            if not child.alive:
                raise CannotRun(child.obituary())
            if time.monotonic() > deadline:
                raise CannotRun(f"{child.name} was not ready in {seconds:.0f} s (see {child.log})")
            time.sleep(PAUSE_S)

    def running(self, name: str) -> list[Child]:
        """The children with that name that still run."""
        return [child for child in self._children if child.name == name and child.alive]

    def check(self) -> None:
        """Look at all children. Raises `CannotRun` naming the first that has died."""
        for child in self._children:
            if not child.alive:
                raise CannotRun(child.obituary())

    def _remember(self, child: Child) -> None:
        """Record a child at once: a supervisor may be killed at any moment, and must leave a way to
        find its children."""
        self._children.append(child)
        with suppress(psutil.NoSuchProcess):  # dead already: `check` tells
            self._record(child, Trace.of(child.process.pid, child.stop_signal))

    def _record(self, child: Child, trace: Trace) -> None:
        self._traces.append(trace)
        leftovers.write(self.record, self._traces)
        warden = self._children[0].process
        if warden.stdin and child.process is not warden:
            with suppress(BrokenPipeError):  # a dead warden is found by `check`
                warden.stdin.write(trace.line().encode())
                warden.stdin.flush()


def python(module: str, *arguments: str) -> list[str]:
    """The command line of a module under this very interpreter."""
    return [sys.executable, "-m", module, *arguments]


def base_environment(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The part of `environ` that every child gets: where programs are, and the way to the network.

    Loopback never goes through a proxy, and nothing of the user's AWS set-up is passed on.
    """
    kept = {"PATH", "HOME", "TMPDIR", "TZ", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR"}
    proxies = {n for n in environ if n.lower() in {"http_proxy", "https_proxy", "all_proxy"}}
    direct = ",".join(filter(None, (environ.get("NO_PROXY"), "127.0.0.1", "localhost")))
    return {n: v for n, v in environ.items() if n in kept | proxies} | {
        "PYTHONPATH": f"{ROOT / 'shared'}{os.pathsep}{ROOT}",
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",
        "NO_PROXY": direct,
        "no_proxy": direct,
    }


def _opened(log: Path) -> IO[bytes]:
    if log.exists() and log.stat().st_size > LONGEST_LOG:
        log.replace(log.with_suffix(".log.old"))
    return log.open("ab")
