-- The content of a window was refused: the next one ends before its last turn, which is tried alone.
UPDATE memory.pairs
SET version = version + 1, refused = %(refused)s, failures = 0, retry_at = NULL
WHERE user_id = %(user_id)s AND character_ids = %(character_ids)s AND version = %(version)s
RETURNING version
