-- What the user said, before any model is asked; once, however often the turn begins.
-- Kept: user_id text, turn_id uuid, message_id uuid, body bytea, digest bytea
WITH kept AS (
    INSERT INTO chat.messages (id, user_id, turn_id, role, body)
    SELECT %(message_id)s, %(user_id)s, t.id, 'user', %(body)s
    FROM chat.turns t
    WHERE t.id = %(turn_id)s AND t.user_id = %(user_id)s
    ON CONFLICT (user_id, turn_id, role) DO NOTHING
    RETURNING turn_id
), told AS (
    UPDATE chat.turns
    SET message_digest = %(digest)s
    WHERE user_id = %(user_id)s AND id = %(turn_id)s AND EXISTS (SELECT FROM kept)
)
UPDATE chat.sessions s
SET message_count = s.message_count + (SELECT count(*) FROM kept),
    last_number = greatest(s.last_number, t.number)
FROM chat.turns t
WHERE t.id = %(turn_id)s AND t.user_id = %(user_id)s
  AND s.user_id = t.user_id AND s.id = t.session_id
