-- Nothing worth keeping is an outcome: the cursor moves on, if the fence still stands.
UPDATE memory.pairs
SET version = version + 1, skipped_through = %(last_position)s, failures = 0, retry_at = NULL
WHERE user_id = %(user_id)s AND character_ids = %(character_ids)s AND version = %(version)s
RETURNING version
