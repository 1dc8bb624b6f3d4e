"""The JSON of memories: of their list, their changes, their history, and what a recall finds."""

from datetime import datetime
from typing import Annotated, Literal, TypeVar

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from functions.chat.wire.conversations import CharacterId, Spoken, Wire
from gieok.conversation.claim import LARGEST_CAST
from gieok.ids import show
from gieok.memories.amend import Amendment
from gieok.memories.history import Author, History, Version
from gieok.prompt.memory_block import Shown, SummaryShown
from gieok.recall.preview import Preview
from gieok.types import KeyDetail, Memory, RecallStatus, RewriteStatus, Slot

T = TypeVar("T")


class Detail(Wire, frozen=True, forbid_unknown_fields=True):
    """Something said or done, word for word."""

    kind: Literal["quote", "action"]
    who: str
    text: str
    context: str
    character: str | None


class MemoryResponse(Wire, frozen=True):
    """A memory as its user sees it."""

    id: str
    summary: str
    details: list[Detail]
    importance: int
    involved: list[str]
    pinned: bool
    muted: bool
    began_at: datetime
    happened_at: datetime
    created_at: datetime


class MemoriesResponse(Wire, frozen=True):
    """A page of memories, newest first; or, for `q`, the best matches, best first, in one page.

    `degraded`: the words were looked up, but what they mean could not be compared with all that
    is remembered.
    """

    memories: list[MemoryResponse]
    next_cursor: str | None
    degraded: bool = False


class MemoryChange(Wire, frozen=True, forbid_unknown_fields=True):
    """What to change of a memory; what is left out stays as it is.

    With another `summary` its details go, less those that `details` names, as they were given; and
    what was derived of its conversation goes. Without `summary`, `details` are those that stay,
    and nothing else changes.
    """

    summary: str | UnsetType = UNSET
    importance: Annotated[int, Meta(ge=1, le=10)] | UnsetType = UNSET
    pinned: bool | UnsetType = UNSET
    muted: bool | UnsetType = UNSET
    details: list[Detail] | UnsetType = UNSET


class SourceResponse(Wire, frozen=True):
    """Where a memory came from."""

    began_at: datetime
    happened_at: datetime
    session_ids: list[str]
    extractor: str
    prompt_version: str


class VersionResponse(Wire, frozen=True):
    """What a memory says, or said `until`. `writtenBy` tells whose words the summary is in."""

    version: int
    summary: str
    importance: int
    written_by: Author
    until: datetime | None


class HistoryResponse(Wire, frozen=True):
    """A memory's source, and a page of its versions, the present one first, then newest first."""

    id: str
    source: SourceResponse
    edited_at: datetime | None
    versions: list[VersionResponse]
    next_cursor: str | None


class RecallRequest(Spoken, frozen=True, kw_only=True):
    """A message that might be sent, to whom, and whether to say why each memory is recalled."""

    query: str
    character_id: CharacterId | None = None
    character_ids: Annotated[list[CharacterId], Meta(max_length=LARGEST_CAST)] | None = None
    explain: bool = False


class ReasonResponse(Wire, frozen=True):
    """Why a memory is recalled.

    Ranks count from 0; they and `similarity` are null where a leg did not find it. `context` is
    what its neighbours gave of the score, before it decayed. The memory takes `tokens` of the
    block; with everything it says it would take `tokensWhole`.
    """

    slot: Slot
    score: float
    decay: float
    context: float
    similarity: float | None
    vector_rank: int | None
    keyword_rank: int | None
    tokens: int
    tokens_whole: int


class RecalledResponse(Wire, frozen=True):
    """A recalled memory. `inPrompt`: it has room in the block that a model is shown.

    `summary` says whether its summary stands there whole, was shortened to its share of the room,
    or was left out with the memory; `detailsCut` of its details found no room.
    """

    memory: MemoryResponse
    in_prompt: bool
    summary: SummaryShown
    details_cut: int
    why: ReasonResponse | None


class RecallResponse(Wire, frozen=True):
    """What a turn with this message would recall, best first, and the block's use of its budget.

    `recall`, `recallReason` and `rewrite` are those of a turn's `meta`.
    """

    recall: RecallStatus
    recall_reason: str
    rewrite: RewriteStatus
    memory_search_top_k: int
    tokens: int
    token_budget: int
    memories: list[RecalledResponse]


def given(value: T | UnsetType) -> T | None:
    """A field's value; None where it was left out."""
    return None if isinstance(value, UnsetType) else value


def amendment(change: MemoryChange) -> Amendment:
    """A request's change as the engine takes it; what was left out is None."""
    details = given(change.details)
    return Amendment(
        given(change.summary),
        given(change.importance),
        given(change.pinned),
        given(change.muted),
        None if details is None else tuple(KeyDetail(**asdict(d)) for d in details),
    )


def of_memory(memory: Memory) -> MemoryResponse:
    """The JSON of a memory."""
    return MemoryResponse(
        id=show("mem", memory.id),
        summary=memory.summary,
        details=[
            Detail(kind=d.kind, who=d.who, text=d.text, context=d.context, character=d.character)
            for d in memory.details
        ],
        importance=memory.importance,
        involved=list(memory.involved),
        pinned=memory.pinned,
        muted=memory.muted,
        began_at=memory.began_at,
        happened_at=memory.happened_at,
        created_at=memory.created_at,
    )


def of_history(history: History) -> HistoryResponse:
    """The JSON of a memory's source and of a page of its versions."""
    stored = history.stored
    return HistoryResponse(
        id=show("mem", stored.sealed.id),
        source=SourceResponse(
            began_at=stored.sealed.began_at,
            happened_at=stored.sealed.happened_at,
            session_ids=[show("talk", s) for s in stored.session_ids],
            extractor=stored.extractor,
            prompt_version=stored.prompt_version,
        ),
        edited_at=stored.edited_at,
        versions=[_version(v) for v in history.versions],
        next_cursor=None if history.cursor is None else str(history.cursor),
    )


def of_preview(preview: Preview, top_k: int, budget: int, explain: bool) -> RecallResponse:
    """The JSON of a recall; with `explain` each memory has its reason.

    `top_k` is the number of memories that a recall may find, `budget` the block's, in tokens.
    """
    found = preview.recollection
    return RecallResponse(
        recall=found.status,
        recall_reason=found.reason,
        rewrite=found.rewrite,
        memory_search_top_k=top_k,
        tokens=preview.tokens,
        token_budget=budget,
        memories=[_recalled(shown, explain) for shown in preview.memories],
    )


def _version(version: Version) -> VersionResponse:
    return VersionResponse(
        version=version.number,
        summary=version.summary,
        importance=version.importance,
        written_by=version.written_by,
        until=version.until,
    )


def _recalled(shown: Shown, explain: bool) -> RecalledResponse:
    return RecalledResponse(
        memory=of_memory(shown.recalled.memory),
        in_prompt=not shown.left_out,
        summary=shown.summary,
        details_cut=shown.details_cut,
        why=_reason(shown) if explain else None,
    )


def _reason(shown: Shown) -> ReasonResponse:
    why = shown.recalled.why
    return ReasonResponse(
        slot=why.slot,
        score=why.score,
        decay=why.decay,
        context=why.context,
        similarity=why.similarity,
        vector_rank=why.vector_rank,
        keyword_rank=why.keyword_rank,
        tokens=shown.tokens,
        tokens_whole=shown.tokens_whole,
    )
