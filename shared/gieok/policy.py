"""The companion policy: the constants that decide how the engine behaves, with their sources.

"Source design" is the hybrid-recall memory that this engine grew from; its constants are kept by
name until a measurement speaks against them (docs/decisions).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Literal, get_args

RewriteWhen = Literal["never", "when_asked"]
REWRITES: tuple[RewriteWhen, ...] = get_args(RewriteWhen)
"""When a question is restated by a model; the first is the default."""


@dataclass(frozen=True, slots=True)
class RecallPolicy:
    """How memories are found. Scores are unitless; the figures are in docs/decisions."""

    limit: int = 12
    """Memories that reach the prompt, at most."""
    spare: int = 12
    """Candidates beyond these that are looked through for what says the same as another one."""
    newest_from: float = 0.6
    """Share of the score that won the last place from which on the newest of those that both legs
    found takes it, when such ones hold all places: twenty stories of coffee must not hide that the
    user gave it up."""
    overfetch: int = 30
    """Candidates that each leg brings."""
    fusion: Literal["scores", "ranks"] = "scores"
    """How the two legs are fused: their spread scores are added, or their reciprocal ranks are."""
    keyword_share: float = 0.5
    """Share of a fused score that the keyword leg gives, 0 to 1; with fusion by "scores" only."""
    context: tuple[float, ...] = (0.5, 0.25)
    """Shares of its neighbours' scores that a memory gains: first of those next to it, then of
    those next but one."""
    rrf_k: int = 60
    """Reciprocal rank fusion constant (Cormack, Clarke and Büttcher, SIGIR 2009)."""
    half_life: float = 40
    """Newer memories of the pair after which a memory's score has halved (source design)."""
    decay_floor: float = 1.0
    """The least factor, 0 to 1, that a score decays to. At 1 nothing fades."""
    important_from: int = 9
    """The least importance, 1 to 10, of a memory that may take a reserved place: of what changes a
    life or the relationship, as the extraction is told. Seven in ten windows of real length have 6
    and more, and two of these in every prompt cost .5 to 1.4 points of hits (docs/decisions/13)."""
    reserved: int = 2
    """Places of `limit` that are reserved for important memories which hold no sure place."""
    deadline_s: float = 0.8
    """Seconds that a recall may take. When they are over, the turn goes on without memories."""
    query_embedding_s: float = 0.6
    """Seconds of that deadline which embedding the question may take."""
    query_terms: int = 20
    """Keyword digests of one question that are looked up, at most."""
    postings: int = 2_000
    """Entries of the keyword index that a question reads in one relationship, at most. There is one
    entry for each memory that holds a digest; the rarest digests are read first. With 6,510
    memories of KorQuAD in one relationship recall@10 of the keyword leg alone is .923 without a
    bound and with 2,000 entries, and .922 with 1,000, which is no faster."""
    rewrite: RewriteWhen = "never"
    """Whether a fast model restates a message that asks about the past (task QUERY). It costs such
    a turn a call and its wait; what it gains is in docs/decisions/22."""
    rewrite_s: float = 0.7
    """Seconds that a rewriting may take; then the question is searched for as it is."""
    query_chars: int = 2_000
    """Characters of a long message that are embedded and looked up."""


PLAIN_RRF = RecallPolicy(overfetch=20, fusion="ranks", context=())
"""Reciprocal rank fusion without what neighbours give; places stay reserved."""

SOURCE = replace(PLAIN_RRF, spare=0, decay_floor=0.3, important_from=6)
"""The source design: each leg's scores decay to no less than 0.3 before they are ranked, reserved
places are for importance 6 and more, and nothing is looked through for repeats."""

RECALLS: Mapping[str, RecallPolicy] = {
    "companion": RecallPolicy(),
    "source": SOURCE,
    "plain_rrf": PLAIN_RRF,
}
"""What a deployment can choose from, by name; the first is the default."""


@dataclass(frozen=True, slots=True)
class IndexPolicy:
    """What of a memory the search reads, beside its search terms and the vector of its summary.

    Hit@3 / hit@12 on 40 Korean windows and on 80 English ones are in docs/decisions/22.
    """

    summary: bool = True
    """Whether the keyword index reads the words of the summary."""
    related_terms: bool = True
    """Whether it reads the synonyms and categories that the extraction adds."""
    allusions: bool = True
    """Whether it reads the ways in which the user may allude to the memory, and whether its vector
    is the mean of those of the summary and of these allusions."""


@dataclass(frozen=True, slots=True)
class GenerationPolicy:
    """When and how conversation becomes memory."""

    threshold: int = 5
    """User messages in a window, with what was answered: with so many the next one is due."""
    settle_after: timedelta = timedelta(seconds=120)
    """Silence in a session after which its newest turn counts as settled."""
    idle_after: timedelta = timedelta(hours=2)
    """Silence in a session after which its tail is due, however few its messages are."""
    flush_after: timedelta = timedelta(hours=20)
    """Age of a message that no memory covers at which it is due, whatever the count."""
    earlier_exchanges: int = 2
    """Turns before a window that its extraction is shown, at most, so that it knows whom and what
    the window refers to; nothing is extracted from them."""
    deadline_s: float = 45
    """Seconds that one window may take, from its extraction to its save."""
    call_s: float = 90
    """Seconds that one call of the memory worker may take: it begins no window that might end
    later. The function's timeout is longer by enough for the last writes."""
    tries: int = 5
    """Failures of a window after which it is parked."""
    retry_after: timedelta = timedelta(minutes=2)
    """Wait between the first failure of a window, or of missing vectors, and the next try."""
    retry_growth: int = 5
    """Factor by which each next wait is longer: 2 min, 10 min, 50 min, 4 h. So a provider may be
    out for some hours and nothing is parked. A wait is at most half of the time until the window's
    oldest message is purged, so that every try comes before the purge."""
    retry_longest: timedelta = timedelta(days=1)
    """The longest wait between two tries of missing vectors, which are tried for ever."""
    busy_again: timedelta = timedelta(seconds=20)
    """Wait until a hint comes again whose scope another worker was busy with."""
    hint_again_after: timedelta = timedelta(minutes=10)
    """Wait after which a scope that is still due is hinted again, since a hint may be lost."""
    early_trigger: bool = False
    """Whether a stated decision, promise or preference pulls a window forward."""
    early_trigger_turns: int = 3
    """User messages in such a window, at least, so that one comes at most every third turn. From
    this message of a window on the worker looks at each, since it alone reads them all."""
    backfill_batch: int = 32
    """Texts whose missing vectors are made in one embedding call."""
    backfill_s: float = 10
    """Seconds that such a batch may take when some of its texts are refused, so that it ends
    within the worker's call."""
    lock_ttl_s: int = 60
    """Seconds after which a scope's lock ends by itself when its worker died."""
    heartbeat_s: float = 20
    """Seconds between two renewals of a scope's lock: a third of its time, so that one may fail."""
    extraction_s: float = 25
    """Seconds that one extraction call may take."""
    embedding_s: float = 5
    """Seconds that one try of a document's embedding may take."""
    edit_embedding_s: float = 2
    """Seconds for the one try of an edited memory's embedding, while its user waits; the memory
    worker tries again later."""
    embedding_patience_s: float = 17
    """Seconds for all tries of a document's embedding together, so that every wait below has its
    turn when failures come at once, and a slow embedder never costs the window its deadline."""
    embedding_retries_s: tuple[float, ...] = (2, 4, 8)
    """Seconds to wait between the tries of a document's embedding."""


@dataclass(frozen=True, slots=True)
class ChatPolicy:
    """What bounds one turn of a conversation, and a user's requests."""

    message_chars: int = 8_000
    """Characters of a user's message, at most; a longer one is refused."""
    history_turns: int = 6
    """Earlier turns of the session that are put before the message, word for word."""
    earlier_turns: int = 6
    """Turns of the user's other sessions, of which no memory was made yet, that are shown as an
    earlier talk, at most: one more than make a memory, so that none is in neither."""
    heartbeat_s: float = 10
    """Seconds of silence in a stream after which a comment keeps its connection open."""
    first_token_s: float = 30
    """Seconds to wait for each piece of a model's text, the first one included."""
    answer_s: float = 120
    """Seconds that an answer may take; what was said by then stands."""
    turn_lease: timedelta = timedelta(seconds=150)
    """Time after which a turn that still runs counts as one that died with its process."""
    turns_at_once: int = 4
    """Sessions of one user in which a message may be answered at the same time."""
    requests_per_minute: int = 60
    """Messages of one user in a minute, at most; as many recalls, searches and changes of a
    memory's text, each of which embeds one, and ten times as many requests in all."""


@dataclass(frozen=True, slots=True)
class PromptBudget:
    """Tokens that parts of the prompt may fill, by `prompt.tokens.estimate`.

    Two parts are bounded elsewhere: the relationship by `relationship.rules`, the message by
    `ChatPolicy.message_chars`.
    """

    system: int = 1_500
    """Tokens for who the characters are and for the rules (slots "character", "dont_invent")."""
    memories: int = 3_500
    """Tokens for the block of recalled memories (slot "memories"). By the tokenizer that the
    estimate was measured with they are 3,000 of Korean summaries and 2,200 of English ones. Of a
    dozen memories that a strong model wrote, all summaries go in whole, in Korean with 36 of 56
    quotes and in English with 5 to 12 of 55; with 3,000, a third of the longer English summaries
    lose a sentence."""
    turns: int = 4_000
    """Tokens for the earlier turns of the session, of which the newest is never left out, and with
    what they leave for those of other sessions (slots "turns", "earlier_talk")."""


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """How long things are kept."""

    raw_messages: timedelta = timedelta(hours=24)
    """Age at which a turn's raw messages are purged."""
    session_active: timedelta = timedelta(hours=24)
    """Silence after which a session expires and answers nothing more."""
    purge_batch: int = 5_000
    """Rows that one statement of the sweep takes, so that it never holds locks for long."""
    sweep_batches: int = 200
    """Statements of one step in one run of the sweep, at most; the next run takes what is left."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How a companion recalls, makes memories, talks and forgets."""

    recall: RecallPolicy = field(default_factory=RecallPolicy)
    index: IndexPolicy = field(default_factory=IndexPolicy)
    generation: GenerationPolicy = field(default_factory=GenerationPolicy)
    chat: ChatPolicy = field(default_factory=ChatPolicy)
    prompt: PromptBudget = field(default_factory=PromptBudget)
    retention: RetentionPolicy = field(default_factory=RetentionPolicy)
    time_zone: str = "Asia/Seoul"
    """IANA name of the time zone of messages that come without one."""


COMPANION = Policy()
"""The policy of a deployment that changes nothing."""
