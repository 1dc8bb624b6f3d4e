"""What other users' memories, and a pair's own, do to the time of a recall."""

from collections.abc import Callable

from gieok.engine import Engine
from infra.local.stack import Database
from tests.bench.house import Given, connected
from tests.bench.recalls import WARM, ask, questions
from tests.bench.rows import Pair
from tests.bench.timing import Way, alternate, p50_ms

Asked = tuple[Engine, Given, Pair]

_TABLES = {
    "memory.pairs": "character_ids, next_seq, covered_through",
    "memory.memories": "character_ids, first_position, last_position, session_ids, summary,"
    " details, importance, extractor, prompt_version, happened_at",
    "memory.memory_characters": "character_id, seq, importance, sitting, embedded, digests,"
    " impacts",
    "memory.vectors": "character_id, seq, model, embedding",
    "memory.vector_blocks": "character_id, model, block, embeddings",
    "memory.postings": "character_id, digest, block, entries",
}
_KEYS = {
    "memory.pairs": {},
    "memory.memories": {"id": "id"},
    "memory.memory_characters": {"memory_id": "memory_id"},
    "memory.vectors": {"memory_id": "memory_id"},
    "memory.vector_blocks": {},
    "memory.postings": {},
}


def crowd(database: Database, rows: int, told: Callable[[int], object]) -> None:
    """Copy all users under new names until there are so many memories of others.

    Done by the server, with triggers off: every table and index of recall gets the rows it would
    have got; only their ciphertexts stay bound to the users they were copied from.
    """
    with connected(database) as connection:
        connection.execute("SET session_replication_role = replica")
        (held,) = connection.execute("SELECT count(*) FROM memory.memories").fetchone() or (0,)
        copies = -(-rows // held)
        for table in _TABLES:
            connection.execute(
                f"CREATE TEMP TABLE originals_{_short(table)} AS SELECT * FROM {table}".encode()
            )
        for copy in range(1, copies + 1):
            for table in _TABLES:
                connection.execute(_copying(table), (copy,) * _copying(table).count(b"%s"))
            told(held)
        connection.execute("VACUUM ANALYZE")


def _short(table: str) -> str:
    return table.partition(".")[2]


def _copying(table: str) -> bytes:
    """Users are told apart by their copy's number, memories by a digest of it."""
    keys = _KEYS[table]
    names = ", ".join(["user_id", *keys, _TABLES[table]])
    values = ["user_id || '-' || %s::integer"]
    values += [f"md5({key}::text || %s::integer)::uuid" for key in keys.values()]
    return (
        f"INSERT INTO {table} ({names}) SELECT {', '.join([*values, _TABLES[table]])}"
        f" FROM originals_{_short(table)}"
    ).encode()


async def measure(asked: dict[str, Asked], tries: int) -> dict[str, float]:
    """Medians of the named situations, in turn."""
    ways = {name: _way(*situation, tries) for name, situation in asked.items()}
    seconds = await alternate(ways, tries, WARM)
    return {name: p50_ms(times) for name, times in seconds.items()}


def _way(engine: Engine, given: Given, pair: Pair, tries: int) -> Way:
    asked = questions([pair], tries + WARM)

    async def way(number: int) -> None:
        await ask(engine, given, asked[number])

    return way
