-- The fence of a scope: its version, and how often the window after its cursor failed.
SELECT version, failures, retry_at
FROM memory.pairs
WHERE user_id = %(user_id)s AND character_ids = %(character_ids)s
