-- The conversation of a turn, locked so that turns of one session are claimed one after another.
-- Kept: user_id text, session_id uuid -> id uuid, character_ids uuid[], open boolean
SELECT id, character_ids, status = 'active' AND expires_at > now() AS open
FROM chat.sessions
WHERE id = %(session_id)s AND user_id = %(user_id)s
FOR UPDATE
