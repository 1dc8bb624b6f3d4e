-- A turn by the client's id of its message, or of the request to answer it again.
-- Kept: user_id text, client_message_id text, again boolean -> id uuid, session_id uuid,
--   "position" bigint, state text, outcome jsonb, message_digest bytea, dead boolean, reply_id uuid,
--   reply_body bytea
SELECT t.id, t.session_id, t.position, t.state, t.outcome, t.message_digest,
       t.state = 'running' AND t.lease_until < now() AS dead,
       r.id AS reply_id, r.body AS reply_body
FROM chat.turns t
LEFT JOIN chat.messages r
    ON r.user_id = t.user_id AND r.turn_id = t.id AND r.role = 'assistant'
WHERE t.user_id = %(user_id)s AND t.id = (
    -- Whichever is not asked for is not looked up.
    SELECT turn_id FROM chat.client_messages
    WHERE NOT %(again)s AND user_id = %(user_id)s AND client_message_id = %(client_message_id)s
    UNION ALL
    SELECT turn_id FROM chat.rerolls
    WHERE %(again)s AND user_id = %(user_id)s AND reroll_id = %(client_message_id)s)
