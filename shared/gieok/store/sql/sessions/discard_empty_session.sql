-- A session made for a message that turned out to be a repeated one.
-- Kept: user_id text, session_id uuid
DELETE FROM chat.sessions
WHERE id = %(session_id)s AND user_id = %(user_id)s
  AND NOT EXISTS (
      SELECT FROM chat.turns WHERE session_id = %(session_id)s AND user_id = %(user_id)s)
