-- A turn by the client's id of its message, or of the request to answer it again.
SELECT t.id, t.session_id, t.position, t.state, t.outcome, t.message_digest,
       t.state = 'running' AND t.lease_until < now() AS dead,
       r.id AS reply_id, r.body AS reply_body
FROM chat.turns t
LEFT JOIN chat.messages r ON r.turn_id = t.id AND r.role = 'assistant'
WHERE t.user_id = %(user_id)s
  AND CASE WHEN %(again)s THEN t.reroll_id ELSE t.client_message_id END = %(client_message_id)s
