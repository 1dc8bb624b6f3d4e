"""docs/contributing.md names every place that a change touches: its examples touch them all."""

import ast
import dataclasses
import inspect
import re
from collections.abc import Collection, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest

from functions.chat.asgi import OPERATIONS
from functions.chat.endpoint import Operation
from gieok import policy, settings
from gieok.prompt.assemble import SLOTS
from gieok.prompt.packs.by_locale import CHAT_TEXT
from gieok.prompt.packs.pack import ChatText
from gieok.types import Locale, RelationshipState
from tests.support.checkout import ROOT
from tests.support.prompt_samples import assembled, character, earlier, memory, section
from tests.support.source import ENGINE, SHIPPED, code_of, modules

GUIDE = (ROOT / "docs" / "contributing.md").read_text()
STORE = ENGINE / "store"


def steps(title: str) -> list[str]:
    """The paths that a list names, in its order, with `<names>` to be filled in."""
    listed = GUIDE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    items = re.findall(r"^\d+\. ((?:`[^`]+`[,\s]*)+):", listed, re.MULTILINE)
    return [path for item in items for path in re.findall(r"`([^`]+)`", item)]


def holding(step: str, word: str, **names: str) -> list[str]:
    """The files of a step that hold a word, in any case."""
    pattern = re.sub(r"<(\w+)>", lambda name: names.get(name[1], "*"), step)
    files = (path for path in ROOT.glob(pattern) if word.lower() in path.read_text().lower())
    return sorted(str(path.relative_to(ROOT)) for path in files)


def untouched(paths: Iterable[str], word: str, **names: str) -> list[str]:
    """The steps in which no file holds the word."""
    return [path for path in paths if not holding(path, word, **names)]


def unlisted(paths: Iterable[str], word: str, **names: str) -> list[str]:
    """Files that ship, that hold the word in their code, and that no step names."""
    listed = {file for path in paths for file in holding(path, word, **names)}
    code = (m for m in modules(*SHIPPED) if re.search(word, code_of(m), re.IGNORECASE))
    return [m.name for m in code if m.name not in listed]


@pytest.mark.parametrize("provider", ["gemini", "openai"])
def test_a_provider_touches_what_its_list_names_and_nothing_else(provider: str) -> None:
    listed = steps("Add a provider")
    assert untouched(listed, provider, name=f"{provider}*") == []
    assert unlisted(listed, provider, name=f"{provider}*") == []


ROUTED: list[Operation] = [
    operation
    for file in sorted((ROOT / "functions" / "chat" / "routes").glob("[a-z]*.py"))
    for operation in import_module(f"functions.chat.routes.{file.stem}").OPERATIONS
]


@pytest.mark.parametrize("operation", ROUTED, ids=lambda o: f"{o.method} {o.path}")
def test_an_endpoint_touches_what_its_list_names(operation: Operation) -> None:
    routes = inspect.getmodule(operation.run)
    assert routes
    shapes = [s for s in (operation.takes, operation.gives) if isinstance(s, type)]
    touched = {
        "shared/gieok/<room>/<module>.py": _imports_the_engine(inspect.getsource(routes)),
        "shared/gieok/<room>/__init__.py": True,  # test_rooms.py compares them all
        "functions/chat/wire/<topic>.py": all(".wire." in shape.__module__ for shape in shapes),
        "functions/chat/routes/<topic>.py": ".routes." in routes.__name__ and routes.__doc__,
        "functions/chat/asgi.py": operation in OPERATIONS,
        "tests/integration/test_<topic>_api.py": _is_asked_in_tests(operation.path),
        "docs/api.md": _in_api_reference(operation),
    }
    assert steps("Add an endpoint") == list(touched)
    assert [step for step, done in touched.items() if not done] == []


def _imports_the_engine(source: str) -> bool:
    imports = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.ImportFrom))
    calls = re.compile(r"gieok\.[a-z_]+|functions\.chat\.sse")
    return any(calls.match(node.module or "") for node in imports)


def _is_asked_in_tests(path: str) -> bool:
    """Whether a test of the whole API has the path, with any expression for an id."""
    said = re.escape(path.removeprefix("/v1/")).replace(r"\{id\}", r"\{[^/\"]+\}")
    folders = (ROOT / "tests" / "integration", ROOT / "tests" / "support")
    texts = (file.read_text() for folder in folders for file in folder.glob("*.py"))
    return any(re.search(rf'["/]{said}(?![/\w])', text) for text in texts)


def _in_api_reference(operation: Operation) -> bool:
    return f"`{operation.method} {operation.path}`" in (ROOT / "docs" / "api.md").read_text()


@pytest.mark.parametrize("file", sorted(STORE.glob("sql/*/*.sql")), ids=lambda f: f.stem)
def test_a_query_touches_what_the_list_of_a_migration_names(file: Path) -> None:
    module, query = file.parent.name, file.stem
    _, *listed = steps("Add a migration")
    where = [path for path in listed if "<module>" in path or path.startswith("tests/")]
    assert where == [
        "shared/gieok/store/sql/<module>/<query>.sql",
        "shared/gieok/store/<module>.py",
        "tests/migration/queries.py",
    ]
    assert untouched(where[:1], "-- ", module=module, query=query) == []
    assert untouched(where[1:2], f"def {query}(", module=module) == []
    assert untouched(where[2:], f"{module}.{query}(") == []


def test_every_column_of_ciphertext_has_its_cell() -> None:
    cells = re.findall(r'Cell\("[\w.]+", f?"(\w+)', (ENGINE / "privacy" / "cells.py").read_text())
    columns = {name for sql in _migrations() for name in re.findall(r"(\w+) bytea\b", sql)}
    assert columns - {"wrapped", "fingerprint", "message_digest"} == set(cells), (
        "a bytea column is sealed by privacy/cells.py, unless it is a key or a digest"
    )


def test_a_migration_after_the_baseline_bounds_its_wait_for_locks() -> None:
    baseline = re.search(r"The files up to `(\d{4}_\w+)\.sql` are the baseline", GUIDE)
    assert baseline
    assert (STORE / "migrations" / f"{baseline[1]}.sql").exists(), "contributing.md names no file"
    for path in sorted(STORE.glob("migrations/*.sql")):
        if path.stem > baseline[1]:
            head = path.read_text()
            assert "SET LOCAL lock_timeout" in head, f"{path.name}: see docs/contributing.md"
            assert "SET LOCAL statement_timeout" in head, f"{path.name}: see docs/contributing.md"


def _migrations() -> list[str]:
    return [path.read_text() for path in sorted(STORE.glob("migrations/*.sql"))]


BUDGETS = {
    "character": "system",
    "dont_invent": "system",
    "relationship": "relationship.rules",
    "memories": "memories",
    "earlier_talk": "turns",
}
"""What bounds each slot: a field of `PromptBudget`, or what its docstring names instead."""


def test_every_slot_touches_what_its_list_names() -> None:
    *_, samples, unit, property_ = listed = steps("Add a prompt slot")
    assert [path for path in listed if not (ROOT / path).exists()] == []
    assert list(BUDGETS) == list(SLOTS), "say in policy.PromptBudget and here what bounds the slot"
    budget = inspect.getsource(policy.PromptBudget)
    for slot, bound in BUDGETS.items():
        assert f'"{slot}"' in (ROOT / unit).read_text(), f"{unit} says nothing of {slot}"
        assert re.search(rf"^    {bound}: int|`{bound}`", budget, re.MULTILINE), slot
    assert {"character", "memories", "states"} <= set(_words(samples))
    assert {"memories", "relationship", "earlier_talk"} <= set(_words(property_)), (
        "the fenced slots"
    )


@pytest.mark.parametrize("slot", SLOTS)
def test_every_slot_has_a_text_of_its_own_in_each_language(slot: str) -> None:
    locales = get_args(Locale)
    assert set(CHAT_TEXT) == set(locales)
    for locale in locales:
        pack = f"shared/gieok/prompt/packs/{locale}.py"
        assert pack in steps("Add a prompt slot")
        assert {f.name for f in dataclasses.fields(ChatText)} <= set(_words(pack))
    states = {"하늘": RelationshipState(standing="친구", speech_level="반말")}
    cast = [character(speech_rules="반말로.")]
    texts = {section(assembled(memory(), cast=cast, states=states, earlier=[earlier("안녕")],
                               locale=o), slot)
             for o in locales}  # fmt: skip
    assert len(texts) == len(locales), "a language lacks its text"


def _words(path: str) -> list[str]:
    return re.findall(r"\w+", (ROOT / path).read_text())


SETTINGS = [
    (of, field)
    for of in vars(policy).values()
    if dataclasses.is_dataclass(of) and isinstance(of, type)
    for field in dataclasses.fields(of)
    if of is not policy.Policy or field.type is str
]
"""Every field that holds a value; those of `Policy` itself hold the other classes."""
UNIT = re.compile(
    r"\b(seconds|minutes?|wait|age|silence|time|tokens|characters|messages|memories|places|candidates"
    r"|digests|entries|rows|statements|texts|turns|failures|factor|shares?|constant|importance"
    r"|requests|name|how|whether)\b",
    re.IGNORECASE,
)
"""What a setting can count, measure or choose; one of these stands in its docstring."""


@pytest.mark.parametrize(("of", "field"), SETTINGS, ids=lambda v: getattr(v, "name", None))
def test_every_setting_says_what_it_counts_and_is_read(
    of: type, field: dataclasses.Field[Any]
) -> None:
    name, said = f"{of.__name__}.{field.name}", _docstring_of(of, field.name)
    assert said.endswith("."), f"{name} has no docstring of whole sentences"
    assert UNIT.search(said), f"{name}: what is counted or measured?"
    if field.name.endswith("_s"):
        assert "econds" in said, f"{name} is in seconds"
    readers = (m for m in modules(*SHIPPED) if m.path.name != "policy.py")
    assert any(_reads(m.tree, field.name) for m in readers), f"nothing reads {name}"


def _docstring_of(of: type, name: str) -> str:
    """The text right below a field."""
    (body,) = ast.parse(inspect.getsource(of)).body
    assert isinstance(body, ast.ClassDef)
    for field, below in zip(body.body, [*body.body[1:], ast.Pass()], strict=True):
        if isinstance(field, ast.AnnAssign) and ast.unparse(field.target) == name:
            text = below.value if isinstance(below, ast.Expr) else None
            return str(text.value) if isinstance(text, ast.Constant) else ""
    raise AssertionError(f"{of.__name__} has no field {name}")


def _reads(tree: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr == name for n in ast.walk(tree))


CHOSEN = {
    "GIEOK_RECALL": "Recall",
    "GIEOK_REWRITE": "Rewrite",
    "GIEOK_EARLY_TRIGGER": "EarlyTrigger",
}
"""Settings that a deployment may choose, with their parameters in the template."""


@pytest.mark.parametrize("variable", CHOSEN)
def test_a_setting_that_a_deployment_chooses_touches_what_its_list_names(variable: str) -> None:
    _, _, *listed = steps("Add a policy setting")
    assert untouched(listed, variable) == []
    assert unlisted(listed, variable) == []
    assert f"{CHOSEN[variable]}:" in (ROOT / "template.yaml").read_text()


def test_every_variable_of_the_policy_is_in_its_list() -> None:
    """Of the others, one names the only policy there is and one is for a laptop alone."""
    read_there = set(re.findall(r"GIEOK_\w+", inspect.getsource(settings.read_policy)))
    others: Collection[str] = {"GIEOK_POLICY", "GIEOK_REQUESTS_PER_MINUTE"}
    assert read_there - {*others} == set(CHOSEN)


def test_every_file_that_a_list_names_is_there() -> None:
    for title in re.findall(r"^## (Add .+)$", GUIDE, re.MULTILINE):
        assert len(steps(title)) > 4
        for path in steps(title):
            assert list(ROOT.glob(re.sub(r"<\w+>", "*", path))), path
