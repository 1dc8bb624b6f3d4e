"""Each room's face says what the room does and does not, and what others call of it."""

import ast
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.checkout import ROOT
from tests.support.source import ENGINE, SHIPPED, Module, modules, read, rooms

BY_MODULE = {"store"}
"""The room whose face names modules: each holds the queries of its name, and others call them."""
VALUES = {"dataclass", "Struct", "Protocol"}
"""A class made by or of one of these holds values and does nothing by itself."""


@pytest.mark.parametrize("room", rooms())
def test_a_face_names_what_others_call(room: str) -> None:
    """Functions and acting classes that a module outside of the room imports; values go unnamed."""
    called = {name.partition(".")[0] if room in BY_MODULE else name for name in _called(room)}
    named = _named(room)
    assert named == sorted(called), (
        f"\nshared/gieok/{room}/__init__.py is out of date."
        f"\nAdd: {sorted(called - {*named})}\nRemove: {sorted({*named} - called)}"
        f"\nThe paragraph, in alphabetical order:\n\n{_paragraph(called)}\n"
    )


@pytest.mark.parametrize("room", rooms())
def test_a_face_says_what_the_room_does_and_what_it_does_not(room: str) -> None:
    said = _face(room).docstring.split("Others call:")[0]
    assert re.search(r"\b(not|never|no|nor|nothing|nobody|none)\b", said, re.IGNORECASE), (
        f"shared/gieok/{room}/__init__.py does not say what the room leaves to others"
    )


def test_the_readme_names_every_room_and_every_folder_that_ships() -> None:
    where = (ROOT / "README.md").read_text().split("## Where things are")[1].split("\n## ")[0]
    folders = {*rooms(), *(f.parent.name for f in ROOT.glob("functions/*/__init__.py"))}
    folders |= {f.parent.name for f in ROOT.glob("infra/local/*/__init__.py")}
    missing = {f for f in folders if f"{f}/`" not in where}
    assert not missing, f"README.md, “Where things are”, does not name {sorted(missing)}"


def _face(room: str) -> Module:
    return read(ENGINE / room / "__init__.py")


def _named(room: str) -> list[str]:
    """What the face's last paragraph names, in its order."""
    *_, last = _face(room).docstring.split("\n\n")
    opening, _, names = last.partition(":")
    return re.findall(r"`([\w.]+)`", names) if opening == "Others call" else []


def _paragraph(called: set[str]) -> str:
    names = ", ".join(f"`{name}`" for name in sorted(called)) or "nothing"
    return textwrap.fill(f"Others call: {names}.", 100, break_long_words=False)


def _called(room: str) -> set[str]:
    """ "module.name" of each function and acting class of a room that is imported elsewhere."""
    others = (m for m in modules(*SHIPPED) if not m.path.is_relative_to(ENGINE / room))
    return {name for module in others for name in _imported(module, room) if _acts(room, name)}


def _imported(module: Module, room: str) -> Iterator[str]:
    """What a module takes of a room, by names or by a module's attributes."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.ImportFrom) or not _is_of(node, room):
            continue
        inside = (node.module or "").removeprefix(f"gieok.{room}").lstrip(".")
        for name in node.names:
            dotted = f"{inside}.{name.name}".lstrip(".")
            if _file(room, dotted):
                used = _attributes(module.tree, name.asname or name.name)
                yield from (f"{dotted}.{attribute}" for attribute in used)
            else:
                yield dotted


def _is_of(node: ast.ImportFrom, room: str) -> bool:
    return f"{node.module}.".startswith(f"gieok.{room}.")


def _attributes(tree: ast.Module, name: str) -> set[str]:
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
    }


def _file(room: str, dotted: str) -> Path | None:
    """The file of a module of the room, None when there is none of that name."""
    path = ENGINE.joinpath(room, *dotted.split(".")).with_suffix(".py")
    return path if path.exists() else None


def _acts(room: str, name: str) -> bool:
    """Whether a name is a function, or a class that is more than values."""
    module, _, own = name.rpartition(".")
    path = _file(room, module)
    assert path, f"gieok.{room}.{name} is imported, and no module has it"
    for node in read(path).tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == own:
            return True
        if isinstance(node, ast.ClassDef) and node.name == own:
            made_of = " ".join(ast.unparse(n) for n in (*node.decorator_list, *node.bases))
            return not VALUES & set(re.findall(r"\w+", made_of))
    return False
