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
), waiting AS (
    SELECT t.*, m.told, t.created_at + m.took AS ended_at,
           row_number() OVER (PARTITION BY t.user_id, t.character_ids ORDER BY t.position) AS place
    FROM after_cursor t
    CROSS JOIN LATERAL (
        SELECT coalesce(bool_or(m.role = 'user'), false) AS told,
               coalesce(max(m.created_at) - min(m.created_at), '0') AS took
        FROM chat.messages m
        WHERE m.user_id = t.user_id AND m.turn_id = t.id) AS m
    WHERE (m.told OR t.running)
      AND NOT EXISTS (SELECT FROM memory.holding(t.user_id, t.character_ids, t.position))
), pending AS (
    -- As many as tell what the next window is.
    SELECT t.*, e.ends_before, s.closing,
           NOT t.running AND (s.closing OR n.created_at IS NOT NULL
                               OR s.last_active_at <= now() - %(settle_after)s
                               OR EXISTS (SELECT FROM memory.met_anew(
                                   t.user_id, t.character_ids, t.session_id, s.last_active_at)))
               AS settled,
           CASE WHEN t.told
                THEN memory.due_at(t.created_at, t.ended_at, n.created_at, s.last_active_at, s.expires_at, %(idle_after)s, %(flush_after)s)
           END AS due_at
    FROM waiting t
    CROSS JOIN LATERAL memory.window_end(
        t.user_id, t.character_ids, t.position, t.fallen_memory) AS e
    CROSS JOIN LATERAL (
        SELECT s.last_active_at, s.expires_at, s.status <> 'active' OR s.expires_at <= now() AS closing
        FROM chat.sessions s
        WHERE s.user_id = t.user_id AND s.id = t.session_id) AS s
    LEFT JOIN LATERAL (
        SELECT n.created_at
        FROM chat.turns n
        JOIN chat.messages nm
            ON nm.user_id = n.user_id AND nm.turn_id = n.id AND nm.role = 'user'
        WHERE n.user_id = t.user_id AND n.session_id = t.session_id AND n.position > t.position
        ORDER BY n.position LIMIT 1) AS n ON true
    WHERE t.place <= %(threshold)s + 1
), measured AS (
    SELECT *,
           ends_before IS NOT DISTINCT FROM first_value(ends_before) OVER scope
               AND coalesce(CASE WHEN running THEN now() ELSE ended_at END < min(due_at) OVER earlier,
                            true)
               AND count(*) FILTER (WHERE told) OVER earlier < %(threshold)s AS fits
    FROM pending
    WINDOW scope AS (PARTITION BY user_id, character_ids ORDER BY position),
           earlier AS (scope ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
), cut AS (
    SELECT *, bool_and(fits) OVER (PARTITION BY user_id, character_ids ORDER BY position) AS inside
    FROM measured
)
SELECT user_id, character_ids
FROM cut
GROUP BY user_id, character_ids, hinted_at
HAVING bool_or(told) FILTER (WHERE inside)
   -- One that may still change holds the window back.
   AND bool_and(settled) FILTER (WHERE inside)
   AND (count(*) FILTER (WHERE inside AND told) >= %(threshold)s
        OR NOT bool_and(inside)
        OR min(ends_before) IS NOT NULL
        OR bool_or(closing OR due_at <= now()) FILTER (WHERE inside AND told))
ORDER BY hinted_at NULLS FIRST, min(created_at)
LIMIT %(limit)s
