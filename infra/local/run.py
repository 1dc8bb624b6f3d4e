"""The laptop run: every server and every function, started by one command and ended by one key."""

import asyncio
import errno
import http.client
import json
import secrets
import socket
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import psycopg

from gieok.errors import MadeByPreRelease, Misconfigured
from gieok.operations.migrate import migrate
from gieok.settings import Function
from infra.local import models
from infra.local.errors import CannotRun
from infra.local.home import Home
from infra.local.options import Options, policies
from infra.local.processes.environment import Backing, environment_of
from infra.local.processes.family import Child, Family, base_environment, python
from infra.local.processes.interruption import Interrupted, Interruption
from infra.local.seed import Rows, seed
from infra.local.servers import dev_tokens, http_server, key_file, postgres, valkey
from infra.local.servers.aws import Aws
from infra.local.servers.postgres import Postgres
from infra.local.servers.upstash import TOKEN_VARIABLE

DATABASE = "gieok"
QUEUE = "gieok-memory"
READY_S = 60
"""Seconds that a server may take to answer for the first time, since it may import from a slow
disk."""
LOOK_S = 0.2
"""Seconds between two looks at the children."""

Say = Callable[[str], None]


def run(options: Options, say: Say) -> None:
    """Start everything, say where it is, and stay until a signal asks to stop.

    Raises `CannotRun` when something does not start or dies later.
    """
    interruption = Interruption()
    home = Home.open(options.folder)
    with (
        interruption.caught(),
        home.locked(),
        home.sockets() as sockets,
        Family(home.children, home.logs, interruption.check) as family,
    ):
        try:
            _start(options, home, sockets, family)
            say(f"Gieok is running at http://127.0.0.1:{options.port}")
            say(_speakers(options.environ))
            _watch(family, interruption)
        except Interrupted:
            return


def _start(options: Options, home: Home, sockets: Path, family: Family) -> None:
    """Start the servers, then the functions, and the chat app last. They stop in reverse order, so
    that what uses the others stops before them."""
    with _bound(options.port) as port:
        key_file.ensure(home.key_file, home.database)
        dev_tokens.ensure_key(home.dev_key)
        server, backing = _start_servers(home, sockets, family, options.environ)
        _prepare(server, options.environ, home)

        def environment(function: Function) -> dict[str, str]:
            url = server.url(f"gieok_{function}", DATABASE)
            return environment_of(function, url, backing, http_server.url_of(port))

        worker = python("infra.local.processes.poller", backing.queue_url)
        family.start("memory_worker", worker, environment=environment("memory_worker"))
        sweep = python("infra.local.processes.scheduler")
        family.start("retention_sweep", sweep, environment=environment("retention_sweep"))
        chat = _serve(
            family,
            "chat",
            "infra.local.processes.chat_app",
            port,
            home.dev_key,
            env=environment("chat"),
        )
    family.wait(chat, lambda: _healthy(options.port), READY_S)


def _start_servers(
    home: Home, sockets: Path, family: Family, environ: Mapping[str, str]
) -> tuple[Postgres, Backing]:
    """Start PostgreSQL, the queue and Redis. The queue is the slowest, so it is waited for last."""
    token = secrets.token_urlsafe(32)
    with http_server.bind() as sqs_port, http_server.bind() as redis_port:
        aws, redis_url = Aws(http_server.url_of(sqs_port)), http_server.url_of(redis_port)
        sqs = _serve(family, "sqs", "infra.local.servers.sqs", sqs_port)
        socket_file = valkey.start(sockets, family)
        redis = _serve(
            family,
            "upstash",
            "infra.local.servers.upstash",
            redis_port,
            socket_file,
            env={**base_environment(), TOKEN_VARIABLE: token},
        )
    server = postgres.start(home.database, sockets, family)
    family.wait(redis, lambda: http_server.answers(redis_url), READY_S)
    family.wait(sqs, lambda: http_server.answers(aws.endpoint), READY_S)
    queue = aws.create_queue(QUEUE)
    keys = {"GIEOK_KEY_FILE": str(home.key_file)}
    told = models.variables(environ), policies(environ)
    return server, Backing(aws, queue.url, redis_url, token, keys, *told)


def _serve(
    family: Family,
    name: str,
    module: str,
    bound: socket.socket,
    *arguments: Path,
    env: Mapping[str, str] | None = None,
) -> Child:
    """Start a module that serves on a socket which we bound."""
    descriptor = bound.fileno()
    command = python(module, str(descriptor), *map(str, arguments))
    return family.start(name, command, environment=env, keep_open=(descriptor,))


def _prepare(server: Postgres, environ: Mapping[str, str], home: Home) -> None:
    """Bring the database to this version, and put what a laptop run needs into it."""
    url, width = server.url(database=DATABASE), models.vector_width(environ)

    async def work(ours: Rows) -> Rows:
        await migrate(url, width)
        return await seed(url, environ, ours)

    try:
        server.create_database(DATABASE)
        ours = asyncio.run(work(_remembered(home.assigned)))
        home.assigned.write_text(json.dumps(ours))
    except MadeByPreRelease as error:
        raise CannotRun(
            f"{home.folder} was made by a pre-release, whose data this version cannot read:"
            " remove that folder, or set GIEOK_HOME to another one"
        ) from error
    except Misconfigured as error:
        raise CannotRun(str(error)) from error
    except psycopg.Error as error:
        raise CannotRun(f"the database cannot be used: {str(error).splitlines()[0]}") from error


def _remembered(assigned: Path) -> Rows:
    try:
        rows: Rows = json.loads(assigned.read_text())
    except (FileNotFoundError, ValueError):
        return {}
    return rows


def _bound(port: int) -> socket.socket:
    try:
        return http_server.bind(port)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        why = "in use by another program" if taken else f"not to be had ({error.strerror})"
        raise CannotRun(f"port {port} is {why}; set GIEOK_PORT to another one") from error


def _healthy(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _speakers(environ: Mapping[str, str]) -> str:
    names = models.providers(environ)
    if names == ("offline",):
        return (
            "Replies come from offline rules, not a model:"
            " set GEMINI_API_KEY or GIEOK_OPENAI_BASE_URL for one."
        )
    return f"Models by {' and '.join(names)}."


def _watch(family: Family, interruption: Interruption) -> None:
    while True:
        interruption.check()
        family.check()
        time.sleep(LOOK_S)
