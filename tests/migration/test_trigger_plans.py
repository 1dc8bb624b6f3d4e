"""What triggers do stays as dear as the rows they are for, however large the tables grow."""

import psycopg

from gieok.policy import COMPANION
from gieok.store import retention
from gieok.store.database import text_of
from tests.support.stack import Stack

BATCH = 5_000
_TURNS = """
INSERT INTO chat.turns (user_id, id, session_id, character_ids, client_message_id, number, state,
                        lease_until, created_at)
SELECT 'user', gen_random_uuid(), s.id, s.character_ids, 'c' || n, n, 'done', now(),
       now() - interval '30 hours' * (n %% 2)
FROM chat.sessions s, generate_series(%(first)s::integer, %(last)s::integer) AS n;
INSERT INTO chat.client_messages
SELECT user_id, client_message_id, id FROM chat.turns ON CONFLICT DO NOTHING
"""
_READ = "SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = 'client_messages_pkey'"


def test_a_plan_made_for_few_turns_serves_a_purge_of_many(stack: Stack) -> None:
    """The function keeps its plan with the connection; statistics come later, if at all."""
    database = stack.services.database()
    policy = COMPANION.retention
    purge = retention.purge_turns(policy)
    with psycopg.connect(
        database.superuser_url, autocommit=True, cursor_factory=psycopg.ClientCursor
    ) as link:
        link.execute(
            "INSERT INTO chat.sessions (user_id, id, character_ids, expires_at)"
            " VALUES ('user', gen_random_uuid(), ARRAY[gen_random_uuid()], now())"
        )

        def purged(first: int, last: int) -> int:
            """Index entries read for one batch, with so many turns more than before."""
            link.execute("SET session_replication_role = replica")
            link.execute(_TURNS, {"first": first, "last": last})
            link.execute("SET session_replication_role = origin")
            before = read(link)
            link.execute(text_of(purge.name), {**purge.params, "batch": BATCH})
            return read(link) - before

        assert purged(1, 3 * BATCH) <= 1.5 * BATCH
        assert purged(3 * BATCH + 1, 12 * BATCH) <= 1.5 * BATCH


def read(link: psycopg.Connection) -> int:
    """Entries of the keys' index read so far."""
    link.execute("SELECT pg_stat_force_next_flush()")
    found = link.execute(_READ).fetchone()
    assert found
    return int(found[0])
