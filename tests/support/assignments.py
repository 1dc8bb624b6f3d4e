"""Which models a world's tasks are assigned to."""

from gieok.calls import ModelChoice
from tests.support.world import World

OLD = ModelChoice("test", "test-1")
"""The embedding model that a world has at first."""


async def assign(world: World, choice: ModelChoice) -> None:
    """Assign models as an operator would, by hand."""
    await world.sql(
        "UPDATE ops.llm_task_assignments SET provider = 'test', model = 'test-1',"
        " fallback_provider = NULL, fallback_model = NULL"
    )
    await world.sql(
        "UPDATE ops.llm_task_assignments SET provider = %s, model = %s WHERE task = 'EMBEDDING'",
        choice.provider,
        choice.model,
    )
