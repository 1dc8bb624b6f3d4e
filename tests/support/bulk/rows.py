"""Write many memories at once, in the rows that the worker would have written one by one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from heapq import merge
from uuid import UUID

import psycopg
from pgvector import HalfVector
from psycopg import sql

from gieok.indexing import keywords
from gieok.indexing.content import indexed
from gieok.policy import IndexPolicy
from gieok.privacy.cells import seal_asked_as, seal_details, seal_summary
from gieok.privacy.cipher import UserCipher
from gieok.types import Scope, UserId
from tests.support.bulk import binary, stock

DATA_KEY = b"a key of all bulk users together"
"""One for all, so that their digests are made once; ciphertexts are bound to each user still."""
STARTED = datetime(2016, 1, 1, tzinfo=UTC)
GOLDEN = 0.618
"""Multiples of it spread evenly over 0 to 1."""
A_SITTING = 4
"""Memories of one conversation."""


@dataclass(frozen=True)
class Pair:
    """A bulk user with one character. `number` tells it from others and decides its vectors."""

    number: int
    size: int

    @cached_property
    def scope(self) -> Scope:
        """Whose memories they are."""
        return Scope(UserId(f"bench-{self.number:032x}"), (UUID(int=self.number + 1),))

    @cached_property
    def cipher(self) -> UserCipher:
        """Opens them."""
        return UserCipher(self.scope.user_id, DATA_KEY)

    @cached_property
    def vectors(self) -> stock.Halves:
        """Their vectors by `seq - 1`."""
        return stock.vectors(self.number, self.size)

    def memory_id(self, seq: int) -> UUID:
        """A UUIDv7 of its time."""
        stamp = round(happened_at(seq).timestamp() * 1000)
        return UUID(int=(stamp << 80) | (0x7 << 76) | (0b10 << 62) | (self.number << 20) | seq)

    def sample(self, seq: int) -> int:
        """Which of the stock's samples a memory has."""
        return (self.number * 31 + seq) % stock.SAMPLES


def happened_at(seq: int) -> datetime:
    """When a pair's memory came to be: some windows of one conversation, then a day's silence."""
    day, window = divmod(seq - 1, A_SITTING)
    return STARTED + timedelta(days=day, minutes=20 * window)


@cache
def digests(sample: int) -> dict[int, int]:
    """The keyed digests of what is indexed of a sample, with their impacts."""
    key = UserCipher(UserId(""), DATA_KEY).index_key
    return keywords.index_terms(indexed(stock.sample(sample).content, IndexPolicy()), key)


def write(connection: psycopg.Connection, pairs: Sequence[Pair]) -> None:
    """Write the pairs, their rows among each other's.

    Triggers are off meanwhile: what they would have written is written here.
    """
    with connection.transaction():
        connection.execute("SET LOCAL session_replication_role = replica")
        connection.execute("SET LOCAL work_mem = '256MB'")
        _copy(connection, _PAIRS, (_pair(p) for p in pairs))
        _copy(connection, _MEMORIES, (_memory(p, seq) for p, seq in in_turn(pairs)))
        _copy(connection, _PLACES, (_place(p, seq) for p, seq in in_turn(pairs)))
        connection.execute(_STAGED)
        vectors = (_vector(p, seq) for p, seq in in_turn(pairs))
        binary.copy_binary(connection, _VECTORS, vectors)
        _copy(connection, _TERMS, (_terms(p, seq) for p, seq in in_turn(pairs)))
        given = {
            "model": stock.MODEL,
            "users": [p.scope.user_id for p in pairs],
            "characters": [p.scope.character_ids[0] for p in pairs],
            "sizes": [p.size for p in pairs],
        }
        for rows in (_BLOCKS, _RECENT, _FOLDED):
            connection.execute(rows, given)


def in_turn(pairs: Sequence[Pair]) -> Iterator[tuple[Pair, int]]:
    """Every memory with its `seq` in the order it came to be: all pairs talk all the time through.

    So a pair's rows lie among those of others, the further apart the rarer it talks.
    """

    def of_one(pair: Pair) -> Iterator[tuple[float, int, Pair]]:
        phase = pair.number * GOLDEN % 1
        return (((seq - phase) / pair.size, seq, pair) for seq in range(1, pair.size + 1))

    talks = merge(*map(of_one, pairs), key=lambda talk: talk[0])
    return ((pair, seq) for _, seq, pair in talks)


def _copy(connection: psycopg.Connection, table: sql.SQL, rows: Iterable[Sequence[str]]) -> None:
    """COPY rows of PostgreSQL's own literals, in which nothing needs escaping."""
    statement = sql.SQL("COPY {} FROM STDIN").format(table)
    with connection.cursor().copy(statement) as sink:
        for row in rows:
            sink.write("\t".join(row) + "\n")


_PAIRS = sql.SQL("memory.pairs (user_id, character_ids, next_seq, covered_through)")
_MEMORIES = sql.SQL(
    "memory.memories (id, user_id, character_ids, first_position, last_position, session_ids,"
    " summary, details, asked_as, importance, extractor, prompt_version, began_at, happened_at)"
)
_PLACES = sql.SQL(
    "memory.memory_characters"
    " (user_id, character_id, seq, memory_id, importance, sitting, embedded)"
)
_STAGED = """
CREATE TEMPORARY TABLE staged_vectors
    (user_id text, character_id uuid, seq integer, embedding halfvec) ON COMMIT DROP;
CREATE TEMPORARY TABLE staged_terms
    (user_id text, character_id uuid, seq integer, digests integer[], impacts smallint[])
    ON COMMIT DROP;
"""
_VECTORS = sql.SQL("staged_vectors (user_id, character_id, seq, embedding)")
_TERMS = sql.SQL("staged_terms (user_id, character_id, seq, digests, impacts)")
_BLOCKS = """
INSERT INTO memory.vector_blocks (user_id, character_id, model, block, held, embeddings)
SELECT p.user_id, p.character_id, %(model)s, at.block,
       bit_or(1::bigint << v.seq %% memory.vectors_a_block()),
       array_agg(v.embedding ORDER BY slot)
FROM unnest(%(users)s::text[], %(characters)s::uuid[], %(sizes)s::integer[])
    AS p (user_id, character_id, size)
CROSS JOIN LATERAL generate_series(0, p.size / memory.vectors_a_block()) AS at (block)
CROSS JOIN LATERAL generate_series(1, memory.vectors_a_block()) AS slot
LEFT JOIN staged_vectors v
    ON v.user_id = p.user_id AND v.character_id = p.character_id
    AND v.seq = at.block * memory.vectors_a_block() + slot - 1
GROUP BY p.user_id, p.character_id, p.size, at.block
HAVING count(v.embedding) > 0
ORDER BY at.block::float8 / p.size
"""
# As the worker leaves them: whenever 32 are recent, all of these are folded.
_RECENT = """
INSERT INTO memory.recent_postings (user_id, character_id, seq, entries)
SELECT t.user_id, t.character_id, t.seq,
       (SELECT array_agg((d << 4) | i ORDER BY d) FROM unnest(t.digests, t.impacts) AS term (d, i))
FROM staged_terms t
JOIN unnest(%(users)s::text[], %(sizes)s::integer[]) AS p (user_id, size) USING (user_id)
WHERE t.seq > p.size / 32 * 32
"""
_FOLDED = """
INSERT INTO memory.postings (user_id, character_id, part, block, entries)
SELECT t.user_id, t.character_id, d >> 18, t.seq >> 8,
       array_agg(((d & 262143) << 12) | ((t.seq & 255) << 4) | i
                 ORDER BY ((d & 262143) << 12) | ((t.seq & 255) << 4) | i)
FROM staged_terms t
JOIN unnest(%(users)s::text[], %(sizes)s::integer[]) AS p (user_id, size) USING (user_id)
CROSS JOIN unnest(t.digests, t.impacts) AS term (d, i)
WHERE t.seq <= p.size / 32 * 32
GROUP BY 1, 2, 3, 4
"""


def _pair(pair: Pair) -> Sequence[str]:
    scope = pair.scope
    return scope.user_id, _array(scope.character_ids), str(pair.size + 1), str(pair.size)


def _memory(pair: Pair, seq: int) -> Sequence[str]:
    sample, memory_id = stock.sample(pair.sample(seq)), pair.memory_id(seq)
    summary = seal_summary(pair.cipher, memory_id, sample.content.summary)
    details = seal_details(pair.cipher, memory_id, sample.details)
    asked_as = seal_asked_as(pair.cipher, memory_id, sample.content.asked_as) or b""
    return (
        str(memory_id),
        pair.scope.user_id,
        _array(pair.scope.character_ids),
        str(seq),
        str(seq),
        "{}",
        rf"\\x{summary.hex()}",
        rf"\\x{details.hex()}",
        rf"\\x{asked_as.hex()}",
        str(sample.importance),
        "bench",
        "1",
        happened_at(seq).isoformat(),
        happened_at(seq).isoformat(),
    )


def _place(pair: Pair, seq: int) -> Sequence[str]:
    return (
        pair.scope.user_id,
        str(pair.scope.character_ids[0]),
        str(seq),
        str(pair.memory_id(seq)),
        str(stock.sample(pair.sample(seq)).importance),
        str(-seq),  # alone in its sitting: it has more words than brief ones
        "true",
    )


def _terms(pair: Pair, seq: int) -> Sequence[str]:
    scope = pair.scope
    return scope.user_id, str(scope.character_ids[0]), str(seq), *_index(pair.sample(seq))


@cache
def _index(sample: int) -> tuple[str, str]:
    return _array(digests(sample)), _array(digests(sample).values())


def _array(values: Iterable[object]) -> str:
    return "{" + ",".join(map(str, values)) + "}"


def _vector(pair: Pair, seq: int) -> bytes:
    return binary.row(
        pair.scope.user_id.encode(),
        pair.scope.character_ids[0].bytes,
        binary.integer(seq),
        HalfVector(pair.vectors[seq - 1]).to_binary(),
    )
