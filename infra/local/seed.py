"""What a laptop run puts into its database: the characters, and models for every task."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from psycopg.types.json import Jsonb

from gieok.calls import Task
from infra.local.models import TASKS, Assigned, first_choice, providers

CHARACTERS = Path(__file__).with_name("characters.toml")

_PUT_CHARACTER: LiteralString = """
INSERT INTO chat.characters (id, name, persona, greeting, speech_rules, fallback_line, locale)
VALUES (%(id)s, %(name)s, %(persona)s, %(greeting)s, %(speech_rules)s, %(fallback_line)s,
        %(locale)s)
ON CONFLICT (id) DO UPDATE SET
    (name, persona, greeting, speech_rules, fallback_line, locale) =
    (excluded.name, excluded.persona, excluded.greeting, excluded.speech_rules,
     excluded.fallback_line, excluded.locale)
"""

_READ_ASSIGNMENTS: LiteralString = """
SELECT task, provider, model, parameters, fallback_provider, fallback_model
FROM ops.llm_task_assignments
"""

_ASSIGN: LiteralString = """
INSERT INTO ops.llm_task_assignments
    (task, provider, model, parameters, fallback_provider, fallback_model)
VALUES (%s, %s, %s, %s, %s, %s)
ON CONFLICT (task) DO UPDATE SET
    (provider, model, parameters, fallback_provider, fallback_model, fallback_parameters,
     updated_at) =
    (excluded.provider, excluded.model, excluded.parameters, excluded.fallback_provider,
     excluded.fallback_model, excluded.fallback_parameters, now())
"""

# A fallback nobody can reach would only add a second failure to the first.
_DROP_UNREACHABLE_FALLBACKS: LiteralString = """
UPDATE ops.llm_task_assignments
SET fallback_provider = NULL, fallback_model = NULL, updated_at = now()
WHERE NOT fallback_provider = ANY (%s)
"""

Rows = dict[str, list[Any]]
"""Assignments as plain JSON values, by task."""


def characters() -> list[dict[str, Any]]:
    """The characters, each as the values of its columns by their names."""
    known: list[dict[str, Any]] = tomllib.loads(CHARACTERS.read_text())["characters"]
    return [{name: str(value).strip() for name, value in each.items()} for each in known]


async def seed(superuser_url: str, environ: Mapping[str, str], ours: Rows) -> Rows:
    """Put in the characters as this version has them, and give every task a model within reach.

    `environ` says which providers and models this run has; `ours` is what the run before returned.
    An assignment that differs from `ours` was made by somebody else, and is left alone as long as
    this run has its provider. Returns the assignments of this run.
    """
    there = providers(environ)
    connection = await psycopg.AsyncConnection.connect(superuser_url)
    async with connection:
        for character in characters():
            await connection.execute(_PUT_CHARACTER, character)
        present = await _present(connection)
        wanted: Rows = {t: _row(first_choice(t, there[0], environ)) for t in TASKS}
        for task in _replaceable(present, ours, there):
            provider, model, parameters, *fallback = wanted[task]
            values = (task, provider, model, Jsonb(parameters), *fallback)
            await connection.execute(_ASSIGN, values)
        await connection.execute(_DROP_UNREACHABLE_FALLBACKS, (list(there),))
    return wanted


def _replaceable(present: Rows, ours: Rows, there: tuple[str, ...]) -> list[Task]:
    """The tasks that nobody but us has assigned, or whose provider this run does not have."""
    return [
        task
        for task in TASKS
        if task not in present or present[task] == ours.get(task) or present[task][0] not in there
    ]


async def _present(connection: psycopg.AsyncConnection) -> Rows:
    rows = await (await connection.execute(_READ_ASSIGNMENTS)).fetchall()
    return {task: list(values) for task, *values in rows}


def _row(assigned: Assigned) -> list[Any]:
    provider, fallback = assigned.provider, assigned.fallback
    parameters = dict(assigned.parameters)
    return [provider, assigned.model, parameters, provider if fallback else None, fallback]
