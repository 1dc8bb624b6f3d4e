"""docs/api.md is the list of operations, as the code has it."""

from typing import Any

from functions.chat.asgi import OPERATIONS
from functions.chat.endpoint import Operation
from tests.support.checkout import ROOT

HEADER = ["| operation | takes | gives | what it does |", "|---|---|---|---|"]


def test_the_table_of_operations_is_that_of_the_code() -> None:
    made = [*HEADER, *map(_row, OPERATIONS)]
    written = (ROOT / "docs" / "api.md").read_text().splitlines()
    assert [line for line in written if line.startswith("|")] == made, (
        "\ndocs/api.md should have this table:\n\n" + "\n".join(made)
    )


def _row(operation: Operation) -> str:
    takes, gives = (_shape(shape) for shape in (operation.takes, operation.gives))
    asked = " ".join([takes, *(f"`?{name}=`" for name in operation.query)]).strip()
    named = f"`{operation.method} {operation.path}`"
    return f"| {named} | {asked} | {gives} | {operation.description} |"


def _shape(shape: Any) -> str:
    if isinstance(shape, str):
        return "events"
    return f"`{shape.__name__}`" if shape else ""
