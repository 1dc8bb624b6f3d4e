"""The companion policy: every constant of the engine, named, with its source.

"Source design" is the hybrid-recall memory that this engine grew from; its constants are kept by
name until a measurement speaks against them (docs/decisions).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Literal


@dataclass(frozen=True, slots=True)
class RecallPolicy:
    """How memories are found. Scores are unitless; the figures are in docs/decisions."""

    limit: int = 12
    """Memories that reach the prompt."""
    overfetch: int = 30
    """Candidates a leg."""
    fusion: Literal["scores", "ranks"] = "scores"
    """How the legs come together: spread scores added, or reciprocal ranks."""
    keyword_share: float = 0.5
    """What of a fused score the keyword leg gives; by "scores" only."""
    context: tuple[float, ...] = (0.5, 0.25)
    """What a memory gains of the scores of its next and next but one neighbours."""
    rrf_k: int = 60
    """Reciprocal rank fusion constant (Cormack, Clarke and Büttcher, SIGIR 2009)."""
    half_life: float = 40
    """Memories of the pair after which a score halves (source design)."""
    decay_floor: float = 1.0
    """Least decay. At 1 nothing fades."""
    important_from: int = 6
    """Least importance (1-10) for a reserved place."""
    reserved: int = 2
    """Places reserved for important memories that no leg found."""
    deadline_s: float = 0.8
    """Recall later than this goes on without memories."""
    query_embedding_s: float = 0.6
    """What of the deadline the query's embedding may use."""
    query_terms: int = 20
    """Keyword digests of one question, at most."""
    postings: int = 2_000
    """Entries of the keyword index that a question reads in one relationship, one for each memory
    that holds a digest, rarest digests first. KorQuAD, 6,510 memories in one: recall@10 of the
    keyword leg alone is .923 without a bound and with 2,000, and .922 with 1,000, which is no
    faster."""
    query_chars: int = 2_000
    """What of a long paste is embedded."""


PLAIN_RRF = RecallPolicy(overfetch=20, fusion="ranks", context=())
"""Reciprocal rank fusion and nothing else."""

SOURCE = replace(PLAIN_RRF, decay_floor=0.3)
"""The source design: each leg's scores decay to no less than 0.3 before they are ranked."""

RECALLS: Mapping[str, RecallPolicy] = {
    "companion": RecallPolicy(),
    "source": SOURCE,
    "plain_rrf": PLAIN_RRF,
}
"""What a deployment can choose from, by name; the first is the default."""


@dataclass(frozen=True, slots=True)
class GenerationPolicy:
    """When and how conversation becomes memory."""

    threshold: int = 5
    """User messages of a scope since the last window."""
    settle_after: timedelta = timedelta(seconds=120)
    """An idle session's newest turn counts as final after this."""
    idle_after: timedelta = timedelta(hours=2)
    """An idle session's tail is flushed after this."""
    flush_after: timedelta = timedelta(hours=20)
    """An unsummarised message this old is flushed whatever its count."""
    window_messages: int = 40
    """Messages in one window, at most."""
    deadline_s: float = 45
    """The whole critical section of one window."""
    call_s: float = 90
    """One call of the worker: no window is begun that might end later. Below its function's timeout
    by enough for the last writes."""
    tries: int = 5
    """A window that fails this often is parked."""
    retry_after: timedelta = timedelta(minutes=2)
    """Between the first failure of a window, or of missing vectors, and the next try."""
    retry_growth: int = 5
    """Each next wait is this much longer: 2 min, 10 min, 50 min, 4 h. A provider's outage of some
    hours parks nothing. Less when the window's messages go first: at most half of the time that
    the oldest has left, so that every try comes before."""
    retry_longest: timedelta = timedelta(days=1)
    """Missing vectors are tried again at least this often, for ever."""
    busy_again: timedelta = timedelta(seconds=20)
    """A hint that finds its scope in other hands comes back after this."""
    hint_again_after: timedelta = timedelta(minutes=10)
    """A scope that is still due is hinted again after this: a hint may have been lost."""
    early_trigger: bool = False
    """Whether a stated decision, promise or preference pulls a window forward."""
    early_trigger_turns: int = 3
    """The least user messages of such a window, so that it comes at most every third turn."""
    backfill_batch: int = 32
    """Missing vectors that are made in one embedding call."""
    backfill_s: float = 10
    """For one such batch where some texts are refused, so that it ends with the worker's call."""
    lock_ttl_s: int = 60
    heartbeat_s: float = 20
    extraction_s: float = 25
    """One extraction call."""
    embedding_s: float = 5
    """One try of a document embedding."""
    edit_embedding_s: float = 2
    """The one try of an edited memory's embedding, while its user waits; the worker has more."""
    embedding_patience_s: float = 15
    """All tries together, so that a slow embedder never costs the window its deadline."""
    embedding_retries_s: tuple[float, ...] = (2, 4, 8)
    """Waits between tries of a document embedding."""


@dataclass(frozen=True, slots=True)
class ChatPolicy:
    """One turn."""

    message_chars: int = 8_000
    history_turns: int = 6
    heartbeat_s: float = 10
    first_token_s: float = 30
    """The longest wait for a model's next piece of text."""
    answer_s: float = 120
    """The longest answer; what was said by then stands."""
    turn_lease: timedelta = timedelta(seconds=150)
    """A turn that still runs after this died with its process."""
    requests_per_minute: int = 60
    """Of one user."""


@dataclass(frozen=True, slots=True)
class PromptBudget:
    """Tokens a slot of the prompt may fill, by the estimate of `tokens.estimate`."""

    system: int = 1_500
    memories: int = 1_500
    turns: int = 4_000


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """How long things are kept."""

    raw_messages: timedelta = timedelta(hours=24)
    session_active: timedelta = timedelta(hours=24)
    purge_batch: int = 5_000
    """Rows a statement; bounded so that a purge never holds locks for long."""
    sweep_batches: int = 200
    """Statements a step and run; the next run takes what is left."""


@dataclass(frozen=True, slots=True)
class Policy:
    """All of it."""

    recall: RecallPolicy = field(default_factory=RecallPolicy)
    generation: GenerationPolicy = field(default_factory=GenerationPolicy)
    chat: ChatPolicy = field(default_factory=ChatPolicy)
    prompt: PromptBudget = field(default_factory=PromptBudget)
    retention: RetentionPolicy = field(default_factory=RetentionPolicy)
    time_zone: str = "Asia/Seoul"


COMPANION = Policy()
