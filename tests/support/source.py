"""The project's own Python source, as the tests of its shape read it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.support.checkout import ROOT

ENGINE = ROOT / "shared" / "gieok"
SHIPPED = (ENGINE, ROOT / "functions", ROOT / "infra")
"""What runs for users and on laptops; tests are left out."""


@dataclass(frozen=True, slots=True)
class Module:
    """A Python file and its parsed source."""

    path: Path
    tree: ast.Module

    @property
    def name(self) -> str:
        """The file's path below the checkout, as tests print it."""
        return str(self.path.relative_to(ROOT))

    @property
    def docstring(self) -> str:
        """The module's docstring, or ""."""
        return ast.get_docstring(self.tree) or ""


@cache
def read(path: Path) -> Module:
    """One Python file."""
    return Module(path, ast.parse(path.read_text()))


def modules(*folders: Path) -> Iterator[Module]:
    """Every Python file below the folders, in the order of their paths."""
    return (read(path) for folder in folders for path in sorted(folder.rglob("*.py")))


def rooms() -> list[str]:
    """The names of the engine's rooms: the packages right below `gieok`."""
    return sorted(face.parent.name for face in ENGINE.glob("*/__init__.py"))


def code_of(module: Module) -> str:
    """A module's names and the texts that it works with, without comments and docstrings."""
    return "\n".join(_code(module.tree))


def _code(node: ast.AST) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue
        for value in vars(child).values():
            if isinstance(value, str):
                yield value
        yield from _code(child)
