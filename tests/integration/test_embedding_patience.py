"""A document's vector is tried for with patience, and not beyond it."""

import pytest

from gieok.calls import Assignment, ModelChoice, ModelUse
from gieok.errors import ModelBlocked, ModelError, ModelRateLimited
from gieok.indexing.embedding import Patience, embed_document
from gieok.policy import COMPANION
from tests.support.world import World

EMBEDDING = Assignment("EMBEDDING", (ModelChoice("test", "test-1"),))
AN_HOUR = 3600.0


@pytest.mark.parametrize(
    ("patience", "error", "tries"),
    [
        pytest.param(Patience(1, (0, 0, 0), 100), ModelRateLimited, 4, id="every wait is used"),
        pytest.param(Patience(1, (0, 0, 0), 0.1), ModelRateLimited, 1, id="no time for a second"),
        pytest.param(Patience(1, (0, AN_HOUR), 100), ModelRateLimited, 2, id="no time for a wait"),
        pytest.param(Patience(5, (0,), 1.5), ModelRateLimited, 2, id="time for a shorter one"),
        pytest.param(Patience(1), ModelRateLimited, 1, id="no patience"),
        pytest.param(Patience(1, (0, 0, 0), 100), ModelBlocked, 1, id="not worth another try"),
    ],
)
async def test_a_failing_model_is_tried_as_long_as_patience_lasts_and_each_try_is_recorded(
    world: World, patience: Patience, error: type[ModelError], tries: int
) -> None:
    world.embedder.error = error("test-1")
    uses: list[ModelUse] = []
    made = await embed_document(world.worker, EMBEDDING, "콩이와 산책했다", patience, uses)
    assert made == {}
    assert [u.outcome for u in uses] == [error.code] * tries


def test_the_policy_has_time_for_each_of_its_waits_and_the_window_for_all_of_them() -> None:
    policy = COMPANION.generation
    failures_s = 0.5 * len(policy.embedding_retries_s)
    last_s = 0.2 * policy.embedding_s
    waits_s = sum(policy.embedding_retries_s)
    assert waits_s + failures_s + last_s <= policy.embedding_patience_s
    assert policy.extraction_s + policy.embedding_patience_s < policy.deadline_s
