"""Ask a model for what a window leaves behind: one call, and one more to mend the answer."""

from gieok import telemetry
from gieok.calls import ModelUse, StructuredPrompt
from gieok.engine import Engine
from gieok.errors import ModelError, ModelMalformed
from gieok.extraction.answer import in_words_that_were_said, read, shortcomings
from gieok.extraction.extraction import Extraction
from gieok.extraction.request import repair_request, request
from gieok.generation.due_window import DueWindow


async def extract(engine: Engine, due: DueWindow, uses: list[ModelUse]) -> Extraction:
    """The extraction of a window. What an answer lacks is asked for once.

    An answer that can be stored stands although its repair failed. Raises a `ModelError` when no
    answer can be stored.
    """
    prompt = request(due.context)
    answer = await _ask(engine, due, prompt, uses)
    try:
        extraction = read(answer, due.context)
        problem = "; ".join(shortcomings(extraction, due.context))
        if not problem:
            return extraction
    except ModelMalformed as error:
        extraction, problem = None, error.reason
    telemetry.setback("extraction_repaired")
    try:
        repaired = await _ask(engine, due, repair_request(prompt, answer, problem), uses)
        extraction = read(repaired, due.context)
    except ModelError:
        if extraction is None:
            raise
    if shortcomings(extraction, due.context):
        telemetry.setback("extraction_incomplete", cast=len(due.cast))
    return in_words_that_were_said(extraction, due.context)


async def _ask(
    engine: Engine, due: DueWindow, prompt: StructuredPrompt, uses: list[ModelUse]
) -> str:
    limit = engine.policy.generation.extraction_s
    assignment = due.assignments.of("EXTRACTION")
    return (await engine.models.structured(assignment, prompt, limit, uses)).text
