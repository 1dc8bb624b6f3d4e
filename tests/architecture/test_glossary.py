"""docs/glossary.md: its terms are those of the code, and what it tells not to say is not said."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

import pytest

from tests.support.checkout import ROOT
from tests.support.source import ENGINE, SHIPPED, Module, modules

GLOSSARY = (ROOT / "docs" / "glossary.md").read_text()
TERMS, NAMES = GLOSSARY.split("## One thing, one name")
TERM = re.compile(r"^\| (?!term |---)(.+?) \| (.+?) \| `(.+)` \|$", re.MULTILINE)
INSTEAD_OF = re.compile(r"^\| (?!say |---)(.+?) \| (.+?) \|$", re.MULTILINE)

NOT_A_NAME = {
    "remember": r"remember(_\w+)?(\.py)?",
    "refill": r"\w*refill\w*(\.py)?",
    "bare": r"(\w+_)?bare_(memor|vector)\w+",
    "lacking": r"\w*lacking\w*(\.py)?",
    "unembedded": r"\w*unembedded\w*(\.py)?",
    "ranking": r"ranking\.py",
    "belonging": r"\w*belonging\w*(\.py)?",
    "telling": r"(\w+_)?telling(_\w+)?(\.py)?",
    "claimed window": r"\w*claimed_?window\w*(\.py)?",
    "hold": r"Hold",
    "unwind": r"\w*unw(i|ou)nd\w*(\.py)?",
}
"""Of each word to avoid, the names that would mean by it what has another name."""


@pytest.mark.parametrize(("term", "place"), [(t, p) for t, _, p in TERM.findall(TERMS)])
def test_a_term_is_one_of_the_code_and_its_place_is_there(term: str, place: str) -> None:
    said = term.partition(" (")[0]
    forms = re.escape(said.removesuffix("y")) + ("(y|ies)" if said.endswith("y") else "(s|es)?")
    assert re.search(rf"\b{forms}\b", _text()), f"the code never says “{said}”"
    assert _exists(place), f"{place} is not there: where does one look for “{said}”?"


def test_terms_stand_in_order_one_line_each() -> None:
    terms = [term for term, *_ in TERM.findall(TERMS)]
    assert terms == sorted(terms, key=lambda t: t.replace("-", ""))
    assert len(terms) == TERMS.count("\n| ") - 1


def test_every_word_to_avoid_is_looked_for() -> None:
    avoided = {word for _, words in INSTEAD_OF.findall(NAMES) for word in words.split(", ")}
    assert avoided == set(NOT_A_NAME)


@pytest.mark.parametrize("word", NOT_A_NAME)
def test_no_name_is_a_word_to_avoid(word: str) -> None:
    wrong = re.compile(NOT_A_NAME[word])
    found = [
        f"{module.name}: {name}"
        for module in modules(*SHIPPED, ROOT / "tests")
        for name in _names(module)
        if wrong.fullmatch(name if word == "hold" else name.lower())
    ]
    files = [f for folder in (ENGINE, ROOT / "tests") for f in folder.rglob("*.sql")]
    found += [str(file.relative_to(ROOT)) for file in files if wrong.fullmatch(file.stem)]
    assert sorted(set(found)) == [], f"docs/glossary.md has another word for “{word}”"


def _names(module: Module) -> Iterator[str]:
    """What a module is called and what it calls things: itself, classes, functions, variables."""
    yield module.path.name
    for node in ast.walk(module.tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield name
            case ast.AsyncFunctionDef(name=name):
                yield name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                yield name.lstrip("_")


@cache
def _text() -> str:
    """Names as words, and the docstrings and comments of queries that speak of them."""
    files = (*ENGINE.rglob("*.py"), *ENGINE.rglob("*.sql"))
    text = "\n".join(file.read_text() for file in sorted(files))
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text.replace("_", " ").replace("-- ", ""))
    return " ".join(words.lower().split())


def _exists(place: str) -> bool:
    """A file of the checkout, a table of a migration, or a name of the engine."""
    if "/" in place:
        return (ROOT / place).is_file()
    if place.startswith("memory."):
        return f"CREATE TABLE {place}" in "\n".join(
            file.read_text() for file in ENGINE.glob("store/migrations/*.sql")
        )
    return _is_name_of_the_engine(place.split("."))


def _is_name_of_the_engine(parts: list[str]) -> bool:
    """Whether the longest module that the parts begin with has the rest."""
    for length in range(len(parts), 0, -1):
        if ENGINE.joinpath(*parts[:length]).with_suffix(".py").exists():
            found: object = import_module(".".join(["gieok", *parts[:length]]))
            for attribute in parts[length:]:
                found = getattr(found, attribute, None)
            return found is not None
    return False
