"""Save what a window left behind, or that it left nothing, if its fence still stands."""

from collections.abc import Mapping

from gieok import telemetry
from gieok.calls import ModelUse, Vector
from gieok.engine import Engine
from gieok.extraction.extraction import Extraction
from gieok.extraction.facts import fingerprint
from gieok.extraction.request import PROMPT_VERSION
from gieok.generation.due_window import DueWindow
from gieok.generation.outcome import Outcome
from gieok.ids import new_id
from gieok.indexing import keywords
from gieok.indexing.content import Content, indexed
from gieok.policy import IndexPolicy
from gieok.privacy.cells import (
    seal_asked_as,
    seal_details,
    seal_fact,
    seal_relationship,
    seal_summary,
)
from gieok.store import facts, operations, relationships, revision, windows
from gieok.store.sealed import NewRelationship, SealedFact


async def skip(engine: Engine, due: DueWindow, uses: list[ModelUse]) -> Outcome:
    """Record that the window held nothing worth keeping: "skipped" or "superseded"."""
    skipped = windows.skip_window(due.scope, due.fence, due.window.last_position)
    usage = operations.record_usage(due.scope.user_id, uses)
    got = await engine.database.run(due.scope.user_id, skipped, usage)
    return "skipped" if got[skipped] else "superseded"


async def save(
    engine: Engine,
    due: DueWindow,
    extraction: Extraction,
    vectors: Mapping[str, Vector],
    uses: list[ModelUse],
) -> Outcome:
    """Write the memory, its places, facts, relationships and the cursor, in one transaction.

    `vectors` are the memory's by model. "written" or "superseded".
    """
    _count_dropped(extraction)
    scope, memory = due.scope, _seal(due, extraction, vectors, engine.policy.index)
    states, known = _seal_states(due, extraction), _seal_facts(due, extraction)
    if not memory.digests:
        telemetry.setback("memory_without_search_terms", memory_id=str(memory.memory_id))
    saved = windows.save_memory(scope, due.fence, memory, engine.vector_width)
    got = await engine.database.run(
        scope.user_id,
        relationships.lock_fences(scope),
        relationships.supersede_stale(scope, due.shown_versions),
        saved,
        revision.carry_decisions(scope.user_id, memory.memory_id),
        relationships.save_relationships(scope, memory.memory_id, states),
        facts.save_facts(scope.user_id, memory.memory_id, known),
        operations.record_usage(scope.user_id, uses),
    )
    return "written" if got[saved] else "superseded"


def _count_dropped(extraction: Extraction) -> None:
    for kind, count in extraction.dropped.items():
        if count:
            telemetry.setback(f"extraction_{kind}_dropped", count=count)


def _seal(
    due: DueWindow, extraction: Extraction, vectors: Mapping[str, Vector], policy: IndexPolicy
) -> windows.SealedWindow:
    memory_id, cipher, window = new_id(), due.cipher, due.window
    content = Content(
        extraction.summary, extraction.search_terms, extraction.related_terms, extraction.asked_as
    )
    return windows.SealedWindow(
        memory_id=memory_id,
        first_position=window.first_position,
        last_position=window.last_position,
        session_ids=window.session_ids,
        summary=seal_summary(cipher, memory_id, extraction.summary),
        details=seal_details(cipher, memory_id, extraction.details),
        importance=extraction.importance,
        digests=keywords.index_terms(indexed(content, policy), cipher.index_key),
        vectors=vectors,
        extractor=_extractor(due),
        prompt_version=PROMPT_VERSION,
        began_at=due.window.turns[0].user.created_at,
        happened_at=due.context.messages[-1].created_at,
        asked_as=seal_asked_as(cipher, memory_id, extraction.asked_as),
    )


def _extractor(due: DueWindow) -> str:
    choices = due.assignments.of("EXTRACTION").choices
    return choices[0].model if choices else ""


def _seal_states(due: DueWindow, extraction: Extraction) -> list[NewRelationship]:
    return [
        seal_relationship(due.cipher, c.id, extraction.relationships[c.name])
        for c in due.cast
        if c.name in extraction.relationships
    ]


def _seal_facts(due: DueWindow, extraction: Extraction) -> list[SealedFact]:
    """Each fact for every character of the cast: who was there knows it."""
    cipher = due.cipher
    return [
        seal_fact(cipher, c.id, fact, fingerprint(fact, cipher.fact_key))
        for c in due.cast
        for fact in extraction.facts
    ]
