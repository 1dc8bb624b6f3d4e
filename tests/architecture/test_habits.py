"""Habits: tests patch objects and share by tests/support; `with` enters every context manager."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.checkout import ROOT

MODULES = sorted((ROOT / "tests").rglob("*.py"))
EACH = pytest.mark.parametrize("module", MODULES, ids=lambda p: str(p.relative_to(ROOT)))


def nodes(module: Path) -> Iterator[ast.AST]:
    """All that a module is made of."""
    return ast.walk(ast.parse(module.read_text()))


@EACH
def test_nothing_is_patched_by_the_path_of_a_module(module: Path) -> None:
    """A string is found by no rename and checked by no type."""
    for node in nodes(module):
        if isinstance(node, ast.Call) and _called(node) in ("setattr", "delattr", "patch"):
            first = node.args[0] if node.args else None
            by_path = isinstance(first, ast.JoinedStr) or (
                isinstance(first, ast.Constant) and isinstance(first.value, str)
            )
            assert not by_path or "/" in str(getattr(first, "value", "")), f"line {node.lineno}"


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


@EACH
def test_a_test_borrows_from_no_other_one(module: Path) -> None:
    for node in nodes(module):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [*node.module.split("."), *(name.name for name in node.names)]
            wrong = names[0] == "tests" and any(name.startswith("test_") for name in names)
            assert not wrong, f"line {node.lineno}: what tests share lies in tests/support"


@pytest.mark.parametrize("folder", ["shared", "functions", "infra", "tests"])
def test_a_context_manager_is_entered_by_a_with_statement(folder: str) -> None:
    """Whoever enters one by hand has to leave it by hand, on every way out."""
    by_hand = {"__enter__", "__exit__", "__aenter__", "__aexit__"}
    for module in (ROOT / folder).rglob("*.py"):
        for node in nodes(module):
            if isinstance(node, ast.Call):
                assert _called(node) not in by_hand, f"{module}: line {node.lineno}"
