"""What an answer starts from, as its first event tells it."""

from gieok import telemetry
from gieok.conversation.claim import Claimed
from gieok.conversation.events import MemoryCut, Meta
from gieok.engine import Engine
from gieok.ids import show
from gieok.prompt.assemble import Assembled
from gieok.prompt.memory_block import Shown
from gieok.types import Recollection


def meta_of(
    engine: Engine, claimed: Claimed, history: int, found: Recollection, assembled: Assembled
) -> Meta:
    """The event of a turn with `history` turns in its window; what found no room is counted."""
    request_id, given = claimed.ask.request_id, assembled.memories
    if cut := _counts_of_cut(assembled):
        telemetry.event("prompt_cut", request_id=request_id, **cut)
    return Meta(
        request_id=request_id,
        session_id=show("talk", claimed.lease.session_id),
        new_session=claimed.lease.new_session,
        history_window_turns=engine.policy.chat.history_turns,
        history_turns=history,
        earlier_turns=assembled.earlier_turns,
        recall=found.status,
        recall_reason=found.reason,
        rewrite=found.rewrite,
        memory_search_top_k=engine.policy.recall.limit,
        memory_hit_count=len(given),
        memories=tuple(show("mem", r.memory.id) for r in given),
        memory_cuts=tuple(_memory_cut(shown) for shown in assembled.recalled if shown.cut),
        slots=assembled.slots,
    )


def _memory_cut(shown: Shown) -> MemoryCut:
    return MemoryCut(
        id=show("mem", shown.recalled.memory.id),
        summary=shown.summary,
        details_cut=shown.details_cut,
    )


def _counts_of_cut(assembled: Assembled) -> dict[str, int]:
    """How many items each slot lost, and how many memories were shortened; no zeros."""
    shortened = sum(shown.summary == "shortened" for shown in assembled.recalled)
    counts = {slot.name: slot.cut for slot in assembled.slots} | {"shortened": shortened}
    return {name: count for name, count in counts.items() if count}
