-- Turns whose process died give their session free; the message they were given stays.
UPDATE chat.turns
SET state = 'failed', outcome = %(outcome)s
WHERE user_id = %(user_id)s AND session_id = %(session_id)s
  AND client_message_id <> %(client_message_id)s
  AND state = 'running' AND lease_until < now()
