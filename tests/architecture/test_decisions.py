"""Decisions are numbered without holes, say what they cost, and name what is there."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.checkout import ROOT

PAGES = sorted((ROOT / "docs" / "decisions").glob("*.md"))
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *PAGES]
TEXTS = {path: path.read_text() for path in DOCUMENTS}
SUPERSEDED = re.compile(r"\A# .+\n\nSuperseded by \[(\d\d)\]\(\1-")
FOLDERS = ("shared", "functions", "infra", "tests")


def test_numbers_have_no_holes() -> None:
    assert [page.name[:3] for page in PAGES] == [f"{n:02}-" for n in range(1, len(PAGES) + 1)]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_a_page_has_a_title_and_says_what_the_choice_costs(page: Path) -> None:
    assert TEXTS[page].startswith("# ")
    assert "**Cost.**" in TEXTS[page] or page.name.startswith("07-"), "07 is a table of packages"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.stem)
def test_a_superseded_page_and_the_one_that_supersedes_it_name_each_other(page: Path) -> None:
    for number in re.findall(r"^Supersedes \[(\d\d)\]", TEXTS[page], re.MULTILINE):
        by = SUPERSEDED.match(TEXTS[PAGES[int(number) - 1]])
        assert by, f"{number} does not begin with what superseded it"
        assert page.name.startswith(by[1])
    if by := SUPERSEDED.match(TEXTS[page]):
        assert f"Supersedes [{page.name[:2]}]" in TEXTS[PAGES[int(by[1]) - 1]]


def test_every_decision_that_is_named_exists() -> None:
    for folder in (*FOLDERS, "docs"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".sql", ".md", ".toml"):
                for number in re.findall(r"decisions?[/ ](\d\d)\b", path.read_text()):
                    assert 1 <= int(number) <= len(PAGES), f"{path}: decision {number}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: p.stem)
def test_every_module_and_file_that_a_document_names_is_there(document: Path) -> None:
    """By its last folders and its name, or by its dotted name with what is in it."""
    if SUPERSEDED.match(TEXTS[document]):
        return
    files = [str(f.relative_to(ROOT)) for folder in FOLDERS for f in (ROOT / folder).rglob("*.*")]
    for name in re.findall(r"`([\w/]+\.(?:py|sql))`", TEXTS[document]):
        assert any(f"/{file}".endswith(f"/{name}") for file in files), name
    for name in re.findall(r"`(gieok(?:\.\w+)+)`", TEXTS[document]):
        assert _imports(name), name


def _imports(name: str) -> bool:
    try:
        import_module(name)
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        return hasattr(import_module(module), attribute)
    return True
