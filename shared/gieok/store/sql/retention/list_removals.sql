-- Characters that were reset and whose memories are not all removed: whoever began it may have died.
SELECT user_id, character_ids[1] AS character_id, version
FROM memory.pairs
WHERE removing AND (SELECT pg_try_advisory_xact_lock(%(lock_key)s))
ORDER BY user_id, character_ids
LIMIT %(limit)s
