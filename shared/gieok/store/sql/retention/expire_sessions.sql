-- Conversations past their time, some at once.
WITH due AS (
    SELECT id FROM chat.sessions
    WHERE status = 'active' AND expires_at <= now()
      AND (SELECT pg_try_advisory_xact_lock(%(lock_key)s))
    ORDER BY expires_at
    LIMIT %(batch)s
    FOR UPDATE SKIP LOCKED
)
UPDATE chat.sessions SET status = 'expired' WHERE id IN (SELECT id FROM due) RETURNING id
