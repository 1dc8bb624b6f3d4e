"""Functions and files stay short enough to be read in one go."""

import ast
from collections.abc import Iterator
from statistics import median

from tests.support.checkout import ROOT
from tests.support.source import SHIPPED, modules

FUNCTION_LINES = 50
"""Of any function, docstring included."""
MOST_FUNCTIONS_LINES = 25
"""Of nine functions in ten."""
MEDIAN_LINES = 8
FILE_LINES = 300
HANDLER_LINES = 60
KINDS = (".py", ".sql", ".js", ".css", ".html", ".sh")


def test_functions_are_short() -> None:
    lines = sorted(length for _, length in _functions())
    assert median(lines) <= MEDIAN_LINES
    assert lines[len(lines) * 9 // 10] <= MOST_FUNCTIONS_LINES


def test_no_function_is_long() -> None:
    long = [f"{name}: {length} lines" for name, length in _functions() if length > FUNCTION_LINES]
    assert long == [], f"more than {FUNCTION_LINES} lines"


def test_no_file_is_long() -> None:
    files = [file for folder in SHIPPED for kind in KINDS for file in folder.rglob(f"*{kind}")]
    lengths = {str(f.relative_to(ROOT)): len(f.read_text().splitlines()) for f in files}
    assert {name: n for name, n in lengths.items() if n > FILE_LINES} == {}


def test_handlers_are_short() -> None:
    handlers = [*(ROOT / "functions").glob("*/handler.py")]
    assert len(handlers) >= 2
    for handler in handlers:
        assert len(handler.read_text().splitlines()) <= HANDLER_LINES, handler


def _functions() -> Iterator[tuple[str, int]]:
    """Where each function that ships is, and how many lines it takes."""
    for module in modules(*SHIPPED):
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{module.name}:{node.name}", (node.end_lineno or 0) - node.lineno + 1
