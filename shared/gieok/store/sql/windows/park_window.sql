-- A window that failed too often, or a turn that is refused, is put aside with its reason, and the
-- cursor moves on; its raw messages stay until their purge.
WITH fence AS (
    UPDATE memory.pairs
    SET version = version + 1, skipped_through = %(last_position)s, failures = 0, retry_at = NULL,
        refused = 0
    WHERE user_id = %(user_id)s AND character_ids = %(character_ids)s AND version = %(version)s
    RETURNING version
)
INSERT INTO ops.parked_windows
    (id, user_id, character_ids, first_position, last_position, reason, attempts, turns)
SELECT %(parked_id)s, %(user_id)s, %(character_ids)s, %(first_position)s, %(last_position)s,
       %(reason)s, %(attempts)s, %(turns)s
FROM fence
-- The same window was tried again, and in vain; a shorter one may be what a change of its first turn
-- left of it, and the rest is parked still.
ON CONFLICT (user_id, character_ids, first_position) DO UPDATE
    SET last_position = greatest(parked_windows.last_position, excluded.last_position),
        turns = greatest(parked_windows.turns, excluded.turns),
        reason = excluded.reason, attempts = excluded.attempts, parked_at = now(),
        retried_at = NULL
RETURNING id
