-- Scopes with something for the worker, the one that waits longest for a hint first: enough
-- messages, an idle or closed session, an old message, or a rest between two memories.
WITH after_cursor AS MATERIALIZED (
    -- First what costs nothing to tell: nearly all turns lie before their cursor.
    SELECT t.id, t.user_id, t.character_ids, t.session_id, t.position, t.created_at, h.hinted_at
    FROM chat.turns t
    LEFT JOIN memory.pairs p ON p.user_id = t.user_id AND p.character_ids = t.character_ids
    LEFT JOIN ops.hints h ON h.user_id = t.user_id AND h.character_ids = t.character_ids
    WHERE t.position > coalesce(greatest(p.covered_through, p.skipped_through), 0)
      AND NOT t.closed
      AND coalesce(p.retry_at <= now(), true)
      AND coalesce(h.hinted_at < now() - %(hint_again_after)s, true)
      AND (SELECT pg_try_advisory_xact_lock(%(lock_key)s))
)
SELECT t.user_id, t.character_ids
FROM after_cursor t
JOIN chat.sessions s ON s.id = t.session_id
WHERE NOT EXISTS (
      SELECT FROM memory.memories m
      WHERE m.user_id = t.user_id AND m.character_ids = t.character_ids
        AND m.invalidated_at IS NULL
        AND m.last_position >= t.position AND m.first_position <= t.position)
  AND EXISTS (SELECT FROM chat.messages m WHERE m.turn_id = t.id AND m.role = 'user')
GROUP BY t.user_id, t.character_ids, t.hinted_at
HAVING bool_or(s.status <> 'active' OR s.expires_at <= now()
               OR s.last_active_at < now() - %(idle_after)s
               OR t.created_at < now() - %(flush_after)s)
    -- The newest exchange of an active session may still change, so it does not count yet.
    OR count(*) FILTER (WHERE s.last_active_at < now() - %(settle_after)s) >= %(threshold)s
    OR count(*) > %(threshold)s
    OR EXISTS (SELECT FROM memory.memories m
               WHERE m.user_id = t.user_id AND m.character_ids = t.character_ids
                 AND m.invalidated_at IS NULL AND m.last_position > min(t.position)
                 AND m.first_position > min(t.position))
ORDER BY t.hinted_at NULLS FIRST, min(t.created_at)
LIMIT %(limit)s
