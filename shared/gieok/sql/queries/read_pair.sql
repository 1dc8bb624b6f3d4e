-- The fence and the cursor of a scope.
SELECT version, greatest(covered_through, skipped_through) AS done_through
FROM memory.pairs
WHERE user_id = %(user_id)s AND character_ids = %(character_ids)s
