"""Queries whose plan the database keeps with the connection, each as a function made of its file.

A batch travels as text, so the server would plan every statement of every batch anew; for a short
statement that costs more than running it. A prepared statement would pin a proxied connection, a
function does not (docs/decisions/16). Such a file says so in its comment, with the types of its
parameters in order and, if it returns rows, of its columns:

    -- Kept: user_id text, session_id uuid -> id uuid, open boolean
"""

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from typing import LiteralString

SCHEMA = "kept"

_SETTINGS = "SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off"
_HEADER = re.compile(r"^-- Kept: (.*(?:\n--   .*)*)\n", re.MULTILINE)
_PARAMETER = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True)
class Kept:
    """A query as a function of the schema `kept`.

    `parameters` are names and types in order; `columns` are those of its rows, empty when it
    returns none; `body` names a parameter by its number.
    """

    query: str
    parameters: tuple[tuple[str, str], ...]
    columns: str
    body: str

    @cached_property
    def name(self) -> str:
        """The function's name. Another text has another name, so that releases keep their own."""
        text = repr((self.parameters, self.columns, self.body))
        return f"{SCHEMA}.{self.query}_{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    @property
    def definition(self) -> LiteralString:
        """The statement that creates the function; it may run any number of times."""
        types = ", ".join(kind for _, kind in self.parameters)
        returns, run = (
            ("void", "") if not self.columns else (f"TABLE ({self.columns})", "RETURN QUERY")
        )
        # The plan is made once, while tables may still be small, and must serve when they are not:
        # every access of these queries is by an index. None runs as long as a compiler does.
        return (
            f"CREATE OR REPLACE FUNCTION {self.name}({types}) RETURNS {returns} LANGUAGE plpgsql"
            f" {_SETTINGS} AS $kept$\n"
            f"#variable_conflict use_column\nBEGIN\n{run}\n{self.body};\nEND $kept$"
        )

    @property
    def call(self) -> LiteralString:
        """The statement that runs the function, with the named parameters of its file."""
        given = ", ".join(f"%({name})s::{kind}" for name, kind in self.parameters)
        return f"SELECT * FROM {self.name}({given})"  # noqa: S608 - ours


def kept(query: str, text: LiteralString) -> Kept | None:
    """The query as a function, if its text says that its plan is kept.

    Raises `KeyError` for a parameter that the comment does not name.
    """
    header = _HEADER.search(text)
    if not header:
        return None
    takes, _, columns = header[1].replace("\n--   ", " ").partition(" -> ")
    parameters = tuple(_declared(one) for one in takes.split(", "))
    numbers = {name: number for number, (name, _) in enumerate(parameters, 1)}
    body = _PARAMETER.sub(lambda found: f"${numbers[found[1]]}", text).replace("%%", "%")
    return Kept(query, parameters, columns, body)


def _declared(parameter: str) -> tuple[str, str]:
    name, _, kind = parameter.partition(" ")
    return name, kind
