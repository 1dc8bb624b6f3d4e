-- A window that could not be read this time: one more failure, if the fence still stands.
UPDATE memory.pairs
SET version = version + 1, failures = %(attempts)s, retry_at = %(retry_at)s
WHERE user_id = %(user_id)s AND character_ids = %(character_ids)s AND version = %(version)s
RETURNING version
