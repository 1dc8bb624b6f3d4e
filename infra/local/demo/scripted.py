"""A run of its own for the demonstration, whose model writes summaries of real length."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from infra.local.demo.client import ServerFailed
from infra.local.processes.family import ROOT, base_environment, python
from infra.local.servers import gemini_server, http_server
from infra.local.servers.model_script import Script

_END_S = 60
"""Seconds that the run may take to stop before it is killed."""


@contextmanager
def scripted() -> Iterator[str]:
    """Start `make run` in a passing folder, with a model that follows a script; its URL.

    The script extracts by the offline rules, retells what was said at the length that is asked of
    models, and embeds with real vectors. Raises `ServerFailed` when the run does not start; it has
    then said why.
    """
    script = Script(real_vectors=True, real_length=True)
    with http_server.bind() as model, http_server.bind() as free:
        url = http_server.url_of(free)
        with (
            http_server.serving(gemini_server.app(script), model),
            TemporaryDirectory(prefix="gieok-demo-") as folder,
        ):
            free.close()
            with _running(url, http_server.url_of(model), folder):
                yield url


@contextmanager
def _running(url: str, model_url: str, folder: str) -> Iterator[None]:
    environment = base_environment() | {
        "PATH": os.environ.get("PATH", ""),
        "GIEOK_HOME": folder,
        "GIEOK_PORT": url.rpartition(":")[2],
        "GEMINI_API_KEY": "scripted",
        "GIEOK_GEMINI_BASE_URL": model_url,
    }
    run = subprocess.Popen(
        python("infra.local"), env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        if run.stdout is None or "running at" not in run.stdout.readline():
            raise ServerFailed("the scripted run did not start")
        yield
    finally:
        run.terminate()
        try:
            run.communicate(timeout=_END_S)
        except subprocess.TimeoutExpired:
            run.kill()
            run.communicate()
