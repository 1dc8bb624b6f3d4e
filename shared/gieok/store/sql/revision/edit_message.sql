-- A raw message's new text, which its client message id stands for from now on when it is the
-- user's; nothing, while its session answers a message.
WITH edited AS (
    UPDATE chat.messages m
    SET body = %(body)s,
        -- Under the fence: later than any memory of the words before.
        edited_at = clock_timestamp(),
        -- New words of the user's count; what answers words that are forgotten does not.
        forgotten = m.role = 'assistant' AND EXISTS (
            SELECT FROM chat.messages u
            WHERE u.user_id = m.user_id AND u.turn_id = m.turn_id AND u.role = 'user'
              AND u.forgotten)
    FROM chat.turns t
    WHERE m.id = %(message_id)s AND m.user_id = %(user_id)s
      AND t.user_id = m.user_id AND t.id = m.turn_id
      AND NOT chat.answering(t.user_id, t.session_id, NULL)
    RETURNING t.id, t.session_id, m.role
), told AS (
    UPDATE chat.turns t
    SET message_digest = %(digest)s
    FROM edited
    WHERE t.user_id = %(user_id)s AND t.id = edited.id AND edited.role = 'user'
)
UPDATE chat.sessions s
SET last_active_at = now()
FROM edited
WHERE s.user_id = %(user_id)s AND s.id = edited.session_id
RETURNING s.id
