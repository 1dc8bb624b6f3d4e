"""Whatever a model refuses to embed, it is found, and every other text has its own vector."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gieok.calls import Assignment, Embeddings, ModelChoice, ModelUse, Purpose, Usage, Vector
from gieok.engine import Engine
from gieok.errors import ModelBlocked, ModelError, ModelMalformed, ModelRejected, ModelTimeout
from gieok.indexing.embedding import Made, Patience, embed_documents
from gieok.providers.router import Models
from tests.support.speakers import Hashes

CHOICE, NEXT = ModelChoice("test", "m"), ModelChoice("test", "n")
LONG = Patience(1, (), 60)


class Picky(Hashes):
    """Refuses any batch that holds one of these texts; each text has a vector of its own."""

    def __init__(self, refused: set[str], error: ModelError, most: int = 10_000) -> None:
        super().__init__()
        self.refused, self.refusal, self.most = refused, error, most

    async def embed(
        self, texts: Sequence[str], purpose: Purpose, choice: ModelChoice, timeout_s: float
    ) -> Embeddings:
        """See `ports.Embedder`."""
        self.calls += 1
        if self.calls > self.most:
            raise ModelTimeout("m")
        if self.refused & set(texts):
            raise self.refusal
        numbers = [int(t) if t.isdecimal() else 99 for t in texts]
        return Embeddings(tuple(map(vector_of, numbers)), Usage(), choice.model)


def vector_of(number: int) -> Vector:
    """A vector along an axis of its own."""
    return tuple(float(axis == number) for axis in range(100))


async def made_by(picky: Picky, count: int, patience: Patience = LONG) -> Made:
    engine = cast(Engine, SimpleNamespace(models=Models({}, {"test": picky})))
    texts, uses = [(str(n),) for n in range(count)], list[ModelUse]()
    made = await embed_documents(engine, Assignment("EMBEDDING", (CHOICE,)), texts, patience, uses)
    assert len(uses) == picky.calls, "every call is accounted for"
    assert list(made) == ["m"]
    return made["m"]


@settings(max_examples=40)
@given(
    st.integers(1, 40).flatmap(
        lambda count: st.tuples(st.just(count), st.sets(st.integers(0, count - 1), max_size=6))
    ),
    st.sampled_from([ModelBlocked("m"), ModelRejected("m"), ModelMalformed("m")]),
)
def test_exactly_what_is_refused_is_passed_over(
    batch: tuple[int, set[int]], error: ModelError
) -> None:
    count, refused = batch
    picky = Picky({str(n) for n in refused}, error)
    made = asyncio.run(made_by(picky, count))
    assert made.refused == refused
    assert made.vectors == {n: vector_of(n) for n in range(count) if n not in refused}
    assert picky.calls <= 2 + len(refused) * (2 * count.bit_length() + 1)


@pytest.mark.parametrize("error", [ModelBlocked("m"), ModelMalformed("m")])
async def test_a_model_that_refuses_everything_refuses_nothing_in_particular(
    error: ModelError,
) -> None:
    class Never(set[str]):
        def __and__(self, other: object) -> set[str]:
            return {"all"}

    picky = Picky(Never(), error)
    assert await made_by(picky, 32) == Made()
    assert picky.calls == 2, "the batch, and a harmless text"


async def test_a_model_that_goes_away_in_between_leaves_the_rest() -> None:
    made = await made_by(Picky({"0"}, ModelBlocked("m"), most=6), 16)
    assert made.vectors == {}
    assert made.refused == {0}, "after the batch, a harmless text, and halves of 8, 4, 2 and 1"


async def test_an_answer_that_is_malformed_once_is_asked_for_again() -> None:
    class Hiccup(Picky):
        async def embed(self, texts: Sequence[str], *others: object) -> Embeddings:
            self.refused = {"0"} if self.calls < 2 else set()
            return await super().embed(texts, *others)  # type: ignore[arg-type]

    assert await made_by(Hiccup(set(), ModelMalformed("m")), 1) == Made({0: vector_of(0)}, set())


async def test_without_patience_nothing_is_halved() -> None:
    picky = Picky({"0"}, ModelBlocked("m"))
    assert await made_by(picky, 8, Patience(1)) == Made()
    assert picky.calls == 2
