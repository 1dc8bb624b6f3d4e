-- Scopes with a window for the worker by its own rules (gieok.generation.window), less what only a
-- decrypted message tells, the one that waits longest for a hint first.
WITH after_cursor AS MATERIALIZED (
    -- First what costs nothing to tell: nearly all turns lie before their cursor.
    SELECT t.id, t.user_id, t.character_ids, t.session_id, t.position, t.created_at, t.fallen_memory,
           h.hinted_at,
           t.state = 'running' AND t.lease_until > now() AS running
    FROM chat.turns t
    LEFT JOIN memory.pairs p ON p.user_id = t.user_id AND p.character_ids = t.character_ids
    LEFT JOIN ops.hints h ON h.user_id = t.user_id AND h.character_ids = t.character_ids
    WHERE t.position > coalesce(greatest(p.covered_through, p.skipped_through), 0)
      AND NOT t.closed
      AND coalesce(p.retry_at <= now(), true)
      AND coalesce(h.hinted_at < now() - %(hint_again_after)s, true)
      AND (SELECT pg_try_advisory_xact_lock(%(lock_key)s))
), pending AS (
    SELECT t.*, EXISTS (SELECT FROM chat.messages m
                        WHERE m.user_id = t.user_id AND m.turn_id = t.id
                          AND m.role = 'user') AS told,
           -- Where a window must end: see read_pending_turns.sql.
           least((SELECT min(m.first_position)
                  FROM memory.memories m
                  WHERE m.user_id = t.user_id AND m.character_ids = t.character_ids
                    AND m.invalidated_at IS NULL
                    AND m.last_position > t.position AND m.first_position > t.position),
                 (SELECT min(p.reset_through) + 1
                  FROM memory.pairs p
                  WHERE p.user_id = t.user_id
                    AND p.character_ids IN (SELECT ARRAY[c] FROM unnest(t.character_ids) AS c)
                    AND p.reset_through >= t.position),
                 (SELECT min(c.position)
                  FROM chat.turns c
                  WHERE c.user_id = t.user_id AND c.character_ids = t.character_ids AND c.closed
                    AND c.position > t.position),
                 -- So do what the user decided of a memory that fell: it holds for these turns alone.
                 (SELECT min(c.position)
                  FROM chat.turns c
                  WHERE c.user_id = t.user_id AND c.character_ids = t.character_ids
                    AND c.position > t.position
                    AND c.fallen_memory IS NOT NULL AND c.fallen_memory IS DISTINCT FROM t.fallen_memory),
                 CASE WHEN t.fallen_memory IS NOT NULL THEN (
                     SELECT min(c.position)
                     FROM chat.turns c
                     WHERE c.user_id = t.user_id AND c.character_ids = t.character_ids
                       AND c.position > t.position AND c.fallen_memory IS NULL) END) AS ends_before
    FROM after_cursor t
    WHERE NOT EXISTS (
        SELECT FROM memory.memories m
        WHERE m.user_id = t.user_id AND m.character_ids = t.character_ids
          AND m.invalidated_at IS NULL
          AND m.last_position >= t.position AND m.first_position <= t.position)
), judged AS (
    SELECT p.*, NOT p.running AND (
               s.closing OR s.last_active_at <= now() - %(settle_after)s
               OR EXISTS (SELECT FROM chat.turns n
                          JOIN chat.messages nm
                              ON nm.user_id = n.user_id AND nm.turn_id = n.id AND nm.role = 'user'
                          WHERE n.user_id = p.user_id AND n.session_id = p.session_id AND n.position > p.position)) AS settled,
           s.closing OR s.last_active_at <= now() - %(idle_after)s
               OR p.created_at <= now() - %(flush_after)s AS urgent,
           first_value(p.ends_before) OVER (PARTITION BY p.user_id, p.character_ids
                                          ORDER BY p.position) AS first_ends_before
    FROM pending p
    CROSS JOIN LATERAL (
        SELECT s.last_active_at, s.status <> 'active' OR s.expires_at <= now() AS closing
        FROM chat.sessions s
        WHERE s.user_id = p.user_id AND s.id = p.session_id) AS s
    WHERE p.told OR p.running
), first_run AS (
    -- One that may still change holds back all that came after it.
    SELECT *, told AND bool_and(settled) OVER (PARTITION BY user_id, character_ids
                                               ORDER BY position) AS ready
    FROM judged
    WHERE ends_before IS NOT DISTINCT FROM first_ends_before
)
SELECT user_id, character_ids
FROM first_run
GROUP BY user_id, character_ids, hinted_at
HAVING count(*) FILTER (WHERE ready) >= %(threshold)s
    OR bool_or(ready AND urgent)
    -- It cannot grow any more.
    OR (bool_and(settled) AND bool_or(ready) AND min(ends_before) IS NOT NULL)
ORDER BY hinted_at NULLS FIRST, min(created_at)
LIMIT %(limit)s
