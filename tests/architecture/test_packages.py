"""Whoever runs a make target has every package that its code imports.

A package counts when the groups name it, not when another one happens to bring it along.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from infra.set_up import ENVIRONMENTS
from tests.support.checkout import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
MAKEFILE = (ROOT / "Makefile").read_text()
OURS = {"gieok", "functions", "infra", "tests"}

EVERYTHING = ("shared", "functions", "infra", "tests")
RUNS = {
    "run": ("shared", "functions", "infra"),
    "demo": ("shared", "infra/local"),
    "build": ("infra",),
    **dict.fromkeys(("test", "nightly", "eval", "bench"), EVERYTHING),
}
"""What each target may load, in folders. The suite is all of tests/, bench and eval included."""

PEER = "tests/bench/mem0_process.py"
"""Run by an environment of its own (`make bench`)."""


@dataclass(frozen=True, slots=True)
class Import:
    """One third-party module, by the file that imports it; `for_types` under TYPE_CHECKING."""

    file: str
    module: str
    for_types: bool


def imports_of(path: Path) -> Iterator[Import]:
    """Every third-party import of a file, wherever in it."""
    tree, file = ast.parse(path.read_text()), str(path.relative_to(ROOT))
    guards = [n for n in ast.walk(tree) if isinstance(n, ast.If) and "TYPE_CHECKING" in ast.dump(n)]
    for_types = {id(n) for guard in guards for child in guard.body for n in ast.walk(child)}
    for node in ast.walk(tree):
        for name in _modules(node):
            module = name.partition(".")[0]
            if module not in OURS | sys.stdlib_module_names:
                yield Import(file, module, id(node) in for_types)


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [node.module or ""]
    return []


@cache
def imports_in(*folders: str) -> list[Import]:
    """Every third-party import of the Python files in these folders, but the peer's."""
    files = [f for folder in folders for f in sorted((ROOT / folder).rglob("*.py"))]
    return [i for f in files if f != ROOT / PEER for i in imports_of(f)]


def normal(name: str) -> str:
    """A distribution's name as registries compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def distribution(requirement: str) -> str:
    """What a requirement asks for, without extras, versions and markers."""
    found = re.match(r"[\w.-]+", requirement)
    assert found, requirement
    return normal(found.group())


def named_by(group: str) -> set[str]:
    """The distributions that a dependency group names, with those it includes."""
    named = set[str]()
    for entry in PROJECT["dependency-groups"][group]:
        if isinstance(entry, str):
            named.add(distribution(entry))
        else:
            named |= named_by(entry["include-group"])
    return named


SHIPPED = {distribution(requirement) for requirement in PROJECT["project"]["dependencies"]}
BROUGHT_BY = packages_distributions()


def missing(imports: list[Import], named: set[str]) -> set[str]:
    """Of the imports, "file: module" of those that none of the named distributions brings."""

    def is_named(module: str) -> bool:
        return bool({normal(d) for d in BROUGHT_BY.get(module, [module])} & named)

    return {f"{i.file}: {i.module}" for i in imports if not is_named(i.module)}


def group_of(target: str) -> str:
    """The group that a make target has installed before it runs."""
    found = re.search(rf"^{target}:.*?with-(\w+)", MAKEFILE, re.MULTILINE)
    assert found, target
    return found.group(1)


@pytest.mark.parametrize("target", RUNS)
def test_a_make_target_has_what_its_code_imports_installed(target: str) -> None:
    needed = [i for i in imports_in(*RUNS[target]) if not i.for_types]
    assert missing(needed, SHIPPED | named_by(group_of(target))) == set()


def test_the_layer_ships_what_the_engine_and_the_functions_import() -> None:
    needed = [i for i in imports_in("shared", "functions") if not i.for_types]
    assert missing(needed, SHIPPED) == set()


def test_the_checks_have_what_is_imported_for_types_alone() -> None:
    everything = imports_in(*EVERYTHING)
    assert missing(everything, SHIPPED | named_by(group_of("check"))) == set()


@pytest.mark.parametrize("group", ENVIRONMENTS)
def test_a_group_is_within_those_that_the_set_up_takes_for_it(group: str) -> None:
    assert all(named_by(group) <= named_by(wider) for wider in ENVIRONMENTS[group].within)


def test_every_target_that_sets_up_an_environment_is_looked_at() -> None:
    set_up = set(re.findall(r"^(\w+): with-", MAKEFILE, re.MULTILINE))
    assert set_up == {*RUNS, "check", "format", "requirements"}
