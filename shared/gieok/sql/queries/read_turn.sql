-- A turn by its client message id, with what was answered.
SELECT t.id, t.session_id, t.number, t.state, t.outcome, t.lease_until < now() AS dead,
       r.id AS reply_id, r.body AS reply_body
FROM chat.turns t
LEFT JOIN chat.messages r ON r.turn_id = t.id AND r.role = 'assistant'
WHERE t.user_id = %(user_id)s AND t.client_message_id = %(client_message_id)s
