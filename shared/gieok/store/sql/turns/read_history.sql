-- The newest turns of a session that have ended, newest first; before a turn when one is named.
-- Kept: user_id text, session_id uuid, client_message_id text, limit integer, before bigint -> turn_id
--   uuid, user_message_id uuid, user_body bytea, user_at timestamptz, reply_id uuid, reply_body
--   bytea, reply_by uuid, reply_at timestamptz
WITH newest AS MATERIALIZED (
    -- Chosen first: messages are looked up for a few turns, however long the session is.
    SELECT id, position
    FROM chat.turns
    WHERE user_id = %(user_id)s AND session_id = %(session_id)s
      AND client_message_id <> %(client_message_id)s AND state <> 'running'
      AND (%(before)s IS NULL OR position < %(before)s)
    ORDER BY position DESC
    LIMIT %(limit)s
)
SELECT t.id AS turn_id, u.id AS user_message_id, u.body AS user_body, u.created_at AS user_at,
       r.id AS reply_id, r.body AS reply_body, r.character_id AS reply_by, r.created_at AS reply_at
FROM newest t
JOIN chat.messages u ON u.user_id = %(user_id)s AND u.turn_id = t.id AND u.role = 'user'
LEFT JOIN chat.messages r
    ON r.user_id = %(user_id)s AND r.turn_id = t.id AND r.role = 'assistant'
ORDER BY t.position DESC
