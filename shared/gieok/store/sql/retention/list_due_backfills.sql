-- Pairs with memories that wait for a vector, the one that waits longest for a hint first.
SELECT mc.user_id, ARRAY[mc.character_id] AS character_ids
FROM memory.memory_characters mc
LEFT JOIN memory.pairs p ON p.user_id = mc.user_id AND p.character_ids = ARRAY[mc.character_id]
LEFT JOIN ops.hints h ON h.user_id = mc.user_id AND h.character_ids = ARRAY[mc.character_id]
WHERE mc.live AND NOT mc.embedded
  AND coalesce(p.backfill_at <= now(), true)
  AND coalesce(h.hinted_at < now() - %(hint_again_after)s, true)
  AND (SELECT pg_try_advisory_xact_lock(%(lock_key)s))
GROUP BY mc.user_id, mc.character_id, h.hinted_at
ORDER BY h.hinted_at NULLS FIRST, mc.user_id, mc.character_id
LIMIT %(limit)s
