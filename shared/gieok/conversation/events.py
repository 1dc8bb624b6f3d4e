"""What a turn tells its client: exactly one `Meta`, then `Delta`s, then one `Done` or `Failed`.

The JSON of each is the HTTP contract (camelCase, ids with their prefix, unknown is null).
"""

from typing import Literal

import msgspec

from gieok.calls import FinishReason
from gieok.prompt.assemble import SlotUse
from gieok.prompt.memory_block import SummaryShown
from gieok.types import RecallStatus, RewriteStatus


class MemoryCut(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What a recalled memory lost for want of room: of its summary, and how many of its details."""

    id: str
    summary: SummaryShown
    details_cut: int


class Meta(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What the answer starts from. `session_id` is None only when the turn never got that far.

    `earlier_turns` are those of other sessions in the prompt, which no memory covers yet.
    `rewrite` says whether the question was restated for the search, and with what outcome.
    `memories` are those in the prompt, best first. `memory_cuts` are those recalled that are not
    wholly in it, also best first. `slots` say how each part of the prompt was filled.
    """

    request_id: str
    session_id: str | None = None
    new_session: bool = False
    history_window_turns: int = 0
    history_turns: int = 0
    earlier_turns: int = 0
    recall: RecallStatus = "failed"
    recall_reason: str = "not_reached"
    rewrite: RewriteStatus = "off"
    memory_search_top_k: int = 0
    memory_hit_count: int = 0
    memories: tuple[str, ...] = ()
    memory_cuts: tuple[MemoryCut, ...] = ()
    slots: tuple[SlotUse, ...] = ()


class Delta(msgspec.Struct, frozen=True, rename="camel"):
    """The next piece of the answer; clients concatenate in order."""

    text: str


class Done(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The answer is stored. Counts are the provider's own, or None."""

    request_id: str
    message_id: str
    fallback_used: bool
    finish_reason: FinishReason
    model: str | None
    actual_prompt_tokens: int | None
    actual_completion_tokens: int | None
    actual_total_tokens: int | None
    memory_hit_count: int
    generation_queued: bool


class Failed(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The turn could not be completed; `code` is one of `errors`. `message` is for developers."""

    request_id: str
    code: str
    message: str
    retryable: bool


Event = Meta | Delta | Done | Failed
EventName = Literal["meta", "delta", "done", "error"]
NAMES: dict[type[Event], EventName] = {Meta: "meta", Delta: "delta", Done: "done", Failed: "error"}
