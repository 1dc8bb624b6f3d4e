"""What a memory takes on disk: all tables and indexes of the schema `memory`, for each memory."""

from infra.local.stack import Database
from tests.bench.house import connected

_BYTES = """
SELECT sum(pg_total_relation_size(c.oid)) / (SELECT count(*) FROM memory.memories)
FROM pg_class c
WHERE c.relkind = 'r' AND c.relnamespace = 'memory'::regnamespace
"""


def measure(database: Database) -> dict[str, int]:
    """Bytes for each memory, of a database that was filled and vacuumed."""
    with connected(database) as connection:
        found = connection.execute(_BYTES).fetchone()
    assert found
    return {"bytes_per_memory": round(found[0])}
