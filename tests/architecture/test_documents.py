"""What the documents say is so."""

import re
import tomllib
from pathlib import Path

import pytest

from functions.chat.asgi import OPERATIONS
from gieok import __version__
from gieok.settings import Settings, read
from tests.support.checkout import ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
TEXT = {".py", ".md", ".yaml", ".toml", ".txt", ".sh", ".js", ".css", ".sql", ""}
MAKEFILE = (ROOT / "Makefile").read_text()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.name)
def test_every_link_and_picture_of_a_document_is_there(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text()):
        if not target.startswith("http"):
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.name)
def test_every_make_target_that_a_document_names_exists(document: Path) -> None:
    for target in re.findall(r"`?make ([a-z]+)`", document.read_text()):
        assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.name)
def test_every_setting_that_a_document_names_is_read_somewhere(document: Path) -> None:
    code = "".join(
        path.read_text() for folder in ("shared", "infra", "tests")
        for path in (ROOT / folder).rglob("*.py")
    )  # fmt: skip
    for name in set(re.findall(r"`(GIEOK_[A-Z_]+|[A-Z]+_API_KEY)", document.read_text())):
        assert f'"{name}"' in code, name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.name)
def test_every_route_that_a_document_names_is_served(document: Path) -> None:
    served = {(o.method, re.sub(r"{\w+}", "{}", o.path)) for o in OPERATIONS}
    named = re.findall(r"`(GET|POST|PUT|PATCH|DELETE) (/v1/[^`?\s]+)", document.read_text())
    for method, path in named:
        assert (method, re.sub(r"{\w+}", "{}", path)) in served, f"{method} {path}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.name)
def test_every_file_that_a_document_names_exists(document: Path) -> None:
    for name in re.findall(
        r"`((?:shared|functions|infra|tests|docs)/[\w./]+)`", document.read_text()
    ):
        assert (ROOT / name).exists(), name


def test_the_version_is_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == __version__
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_the_readme_opens_with_what_it_is_a_picture_and_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text()
    where = [
        readme.index(text) for text in ("# Gieok", "docs/console.png", "make run", "make test")
    ]
    assert where == sorted(where)
    assert where[-1] < 1500


def test_only_the_settings_module_of_the_engine_reads_the_environment() -> None:
    readers = [
        path.name
        for path in (ROOT / "shared" / "gieok").rglob("*.py")
        if re.search(r"os\.environ|getenv", path.read_text())
    ]
    assert readers == ["settings.py"]
    assert read.__annotations__["return"] is Settings


def test_the_project_names_no_registry_and_no_path_of_a_machine() -> None:
    hosts = re.compile(
        "|".join(["py" + "pi.org", "python" + "hosted", "/ro" + "ot/", "/ho" + "me/"])
    )
    for folder in ("shared", "functions", "infra", "tests", "docs", ".ci"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix in TEXT and "__pycache__" not in path.parts:
                assert not hosts.search(path.read_text()), path
