-- Conversations past their time, some at once.
WITH due AS (
    SELECT user_id, id FROM chat.sessions
    WHERE status = 'active' AND expires_at <= now()
      AND (SELECT pg_try_advisory_xact_lock(%(lock_key)s))
    ORDER BY expires_at
    LIMIT %(batch)s
    FOR UPDATE SKIP LOCKED
)
UPDATE chat.sessions SET status = 'expired'
WHERE (user_id, id) IN (SELECT user_id, id FROM due)
RETURNING id
