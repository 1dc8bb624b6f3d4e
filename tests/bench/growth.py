"""What other users' memories, and a pair's own, do to the time of a recall."""

from collections.abc import Callable

from gieok.engine import Engine
from infra.local.stack import Database
from tests.bench.house import Given, connected
from tests.bench.recalls import WARM, ask, questions
from tests.bench.timing import Way, alternate, p50_ms
from tests.support.bulk.rows import Pair

Asked = tuple[Engine, Given, Pair]

_TABLES = {
    "memory.pairs": "next_seq, covered_through",
    "memory.memories": "first_position, last_position, session_ids, summary, details, asked_as,"
    " importance, extractor, prompt_version, began_at, happened_at",
    "memory.memory_characters": "seq, importance, sitting, embedded",
    "memory.vector_blocks": "model, block, held, embeddings",
    "memory.recent_postings": "seq, entries",
    "memory.postings": "part, block, entries",
}
_OTHER_CHARACTER = {"character_id": "md5(character_id::text || %s::integer)::uuid"}
_OTHER_CAST = {"character_ids": "ARRAY[md5(character_ids[1]::text || %s::integer)::uuid]"}
_OTHER_MEMORY = {"memory_id": "md5(memory_id::text || %s::integer)::uuid"}
_OTHER = {
    "memory.pairs": _OTHER_CAST,
    "memory.memories": _OTHER_CAST | {"id": "md5(id::text || %s::integer)::uuid"},
    "memory.memory_characters": _OTHER_CHARACTER | _OTHER_MEMORY,
    "memory.vector_blocks": _OTHER_CHARACTER,
    "memory.recent_postings": _OTHER_CHARACTER,
    "memory.postings": _OTHER_CHARACTER,
}
"""Columns of a copy that are its own."""


def crowd(database: Database, rows: int, told: Callable[[int], object]) -> None:
    """Copy all users under new names until there are so many memories of others.

    Copies have characters of their own. Done by the server, with triggers off: every table and
    index of recall gets the rows it would have got; only their ciphertexts stay bound to the users
    they were copied from.
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
    """Copies are told apart by their number."""
    other = {"user_id": "user_id || '-' || %s::integer"} | _OTHER[table]
    names = ", ".join([*other, _TABLES[table]])
    values = ", ".join([*other.values(), _TABLES[table]])
    return f"INSERT INTO {table} ({names}) SELECT {values} FROM originals_{_short(table)}".encode()


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
