-- Scopes with something for the worker: enough messages, an idle or closed session, or an old one.
SELECT t.user_id, t.character_ids
FROM chat.turns t
JOIN chat.sessions s ON s.id = t.session_id
LEFT JOIN memory.pairs p ON p.user_id = t.user_id AND p.character_ids = t.character_ids
WHERE t.position > coalesce(greatest(p.covered_through, p.skipped_through), 0)
  AND EXISTS (SELECT FROM chat.messages m WHERE m.turn_id = t.id AND m.role = 'user')
  AND (SELECT pg_try_advisory_xact_lock(%(lock_key)s))
GROUP BY t.user_id, t.character_ids
HAVING bool_or(s.status <> 'active' OR s.expires_at <= now()
               OR s.last_active_at < now() - %(idle_after)s
               OR t.created_at < now() - %(flush_after)s)
    -- The newest exchange of an active session may still change, so it does not count yet.
    OR count(*) FILTER (WHERE s.last_active_at < now() - %(settle_after)s) >= %(threshold)s
    OR count(*) > %(threshold)s
ORDER BY min(t.created_at)
LIMIT %(limit)s
