-- The turns of a session after a message go, and its answer when it is the user's own message.
-- Nothing, while the session answers a message.
WITH kept AS (
    SELECT t.user_id, t.id, t.number, t.position, t.session_id
    FROM chat.turns t
    WHERE t.id = %(turn_id)s AND t.user_id = %(user_id)s
      AND NOT chat.answering(t.user_id, t.session_id, NULL)
), gone AS (
    DELETE FROM chat.turns t
    USING kept
    WHERE t.user_id = kept.user_id AND t.session_id = kept.session_id
      AND t.position > kept.position
    RETURNING t.id
), unsaid AS (
    DELETE FROM chat.messages m
    USING kept
    WHERE m.user_id = kept.user_id AND m.turn_id = kept.id AND m.role = 'assistant' AND %(answer_goes)s
    RETURNING m.turn_id
), unanswered AS (
    UPDATE chat.turns t
    SET state = 'failed', outcome = %(outcome)s, reroll_id = NULL
    FROM kept
    WHERE t.user_id = kept.user_id AND t.id = kept.id
      AND (t.id IN (SELECT turn_id FROM unsaid) OR t.state = 'running')
)
UPDATE chat.sessions s
SET message_count = s.message_count - (SELECT count(*) FROM unsaid) - (
        SELECT count(*) FROM chat.messages m
        WHERE m.user_id = s.user_id AND m.turn_id IN (SELECT id FROM gone)),
    last_number = kept.number,
    last_active_at = now()
FROM kept
WHERE s.user_id = kept.user_id AND s.id = kept.session_id
RETURNING s.id
