"""Queries of what operators choose and watch: models per task, usage."""

from collections.abc import Sequence
from dataclasses import dataclass

from psycopg.types.json import Jsonb

from gieok.calls import Assignment, ModelChoice, ModelUse, Task
from gieok.ids import new_id
from gieok.store.database import Query, Row
from gieok.store.turns import token_counts
from gieok.types import UserId


@dataclass(frozen=True, slots=True)
class Assignments:
    """The models of every task."""

    by_task: dict[Task, Assignment]

    def of(self, task: Task) -> Assignment:
        """The models of a task; an assignment without any for a task that is not in the table."""
        return self.by_task.get(task, Assignment(task, ()))


def read_assignments() -> Query[Assignments]:
    """The task table."""
    return Query(
        "read_assignments", {}, lambda rows: Assignments({r["task"]: _assignment(r) for r in rows})
    )


def record_usage(user_id: UserId, calls: Sequence[ModelUse]) -> Query[None]:
    """Store what provider calls reported, one row for each call."""
    rows = [
        {
            "id": str(new_id()),
            "user_id": user_id,
            "task": call.task,
            "provider": call.provider,
            "model": call.model,
            "latency_ms": call.latency_ms,
            "outcome": call.outcome,
            **token_counts(call.usage),
        }
        for call in calls
    ]
    return Query("record_usage", {"calls": Jsonb(rows)}, lambda rows: None)


def _assignment(row: Row) -> Assignment:
    choices = [ModelChoice(row["provider"], row["model"], row["parameters"])]
    if row["fallback_provider"]:
        choices.append(
            ModelChoice(row["fallback_provider"], row["fallback_model"], row["fallback_parameters"])
        )
    coming = None
    if row["next_provider"]:
        coming = ModelChoice(row["next_provider"], row["next_model"], row["next_parameters"])
    return Assignment(row["task"], tuple(choices), coming)
