"""The companion policy: every constant of the engine, named, with its source.

"Source design" is the hybrid-recall memory that this engine grew from; its constants are kept by
name until a measurement speaks against them (docs/decisions).
"""

from dataclasses import dataclass, field
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class RecallPolicy:
    """How memories are found. Ranks count from 0, scores are unitless."""

    limit: int = 12
    """Memories that reach the prompt."""
    overfetch: int = 20
    """Candidates a leg."""
    rrf_k: int = 60
    """Reciprocal rank fusion constant (Cormack, Clarke and Büttcher, SIGIR 2009)."""
    half_life: float = 40
    """Memories of the pair after which a score halves (source design)."""
    decay_floor: float = 0.3
    """Least decay, so that far memories never converge to zero (source design)."""
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
    query_chars: int = 2_000
    """What of a long paste is embedded."""


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
    """The whole critical section of a worker."""
    lock_ttl_s: int = 60
    heartbeat_s: float = 20
    extraction_s: float = 25
    """One extraction call."""
    embedding_s: float = 5
    """One try of a document embedding."""
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
    profile: int = 500
    session: int = 2_000
    knowledge: int = 4_000
    long_term: int = 1_000
    memories: int = 1_500
    turns: int = 4_000
    message: int = 500
    reserve: int = 3_000


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
