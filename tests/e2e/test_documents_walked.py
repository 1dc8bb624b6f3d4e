"""What a reader pastes from the documents, block after block into one shell, works.

Blocks fenced as `sh` are run against a laptop run, with its port and folder for the defaults. What
cannot run here is fenced as `console`, and listed here.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.checkout import ROOT
from tests.support.laptop import LaptopRun

WALKED = {
    "README.md": 1,
    "docs/taking-back.md": 4,
    "docs/operations.md": 2,
}
"""How many blocks of a document are run."""

NOT_WALKED = {
    "README.md": ["make run"],
    "docs/quickstart.md": ["make run", "PYTHONPATH=shared:. .venv/bin/python -m infra.local"],
    "docs/operations.md": [
        "python -m gieok.operations.reembed --status",
        "python -m gieok.operations.parked --list",
    ],
}
"""How the blocks begin that need what is not here: a terminal of their own (`make run`), a
cloud account, a key, or the id of a window that was parked."""

STRICT = """
set -euo pipefail
curl() { command curl --fail-with-body "$@"; }
"""
"""An unset variable, a command that fails and an HTTP error each end the shell."""


def blocks(document: str, fence: str) -> list[str]:
    """The text of the document's blocks with this fence, in order."""
    text = (ROOT / document).read_text()
    return re.findall(rf"^```{fence}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def walk(texts: list[str], run: LaptopRun) -> "subprocess.CompletedProcess[str]":
    """Run the blocks in one shell, at the root of this checkout."""
    script = STRICT + "".join(f"echo 'block {i}' >&2\n{t}" for i, t in enumerate(texts, 1))
    for default, here in {
        "http://127.0.0.1:8700": run.url,
        "$PWD/.gieok": str(run.home),
        ".venv/bin/python": sys.executable,
    }.items():
        script = script.replace(default, here)
    return subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize("document", WALKED)
def test_the_blocks_of_a_document_run_one_after_another(
    document: str, laptop_run: LaptopRun
) -> None:
    texts = blocks(document, "sh")
    assert len(texts) == WALKED[document]
    done = walk(texts * 2, laptop_run)
    assert done.returncode == 0, done.stderr + done.stdout
    assert "event: error" not in done.stdout


@pytest.mark.parametrize(
    "text",
    ['echo "$NEVER_SET"', "curl -s http://127.0.0.1:8700/v1/characters", "false | cat"],
)
def test_a_block_that_does_not_work_is_noticed(text: str, laptop_run: LaptopRun) -> None:
    assert walk(["true\n", f"{text}\n", "true\n"], laptop_run).returncode


def test_each_block_that_is_not_run_is_listed() -> None:
    for path in [Path("README.md"), *(p.relative_to(ROOT) for p in (ROOT / "docs").glob("*.md"))]:
        found, listed = blocks(str(path), "console"), NOT_WALKED.get(str(path), [])
        assert len(found) == len(listed), path
        assert all(map(str.startswith, found, listed)), path
