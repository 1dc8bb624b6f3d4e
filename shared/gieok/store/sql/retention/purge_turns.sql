-- Raw messages past their time, some at once; `lost` ones no memory was ever made of, though not
-- for being worth none: after the cursor, or in a window that was put aside.
WITH due AS (
    SELECT t.user_id, t.id,
           (t.position > coalesce(greatest(p.covered_through, p.skipped_through), 0)
               AND NOT t.closed
               OR EXISTS (SELECT FROM ops.parked_windows w
                          WHERE w.user_id = t.user_id AND w.character_ids = t.character_ids
                            AND w.retried_at IS NULL
                            AND t.position BETWEEN w.first_position AND w.last_position))
           AND NOT EXISTS (SELECT FROM memory.holding(t.user_id, t.character_ids, t.position))
           AND EXISTS (SELECT FROM chat.messages m
                       WHERE m.user_id = t.user_id AND m.turn_id = t.id AND m.role = 'user')
           AS lost
    FROM chat.turns t
    LEFT JOIN memory.pairs p ON p.user_id = t.user_id AND p.character_ids = t.character_ids
    WHERE t.created_at < now() - %(keep)s
      AND (SELECT pg_try_advisory_xact_lock(%(lock_key)s))
    ORDER BY t.created_at
    LIMIT %(batch)s
), gone AS (
    DELETE FROM chat.turns WHERE (user_id, id) IN (SELECT user_id, id FROM due)
)
SELECT count(*) AS purged, count(*) FILTER (WHERE lost) AS lost FROM due
