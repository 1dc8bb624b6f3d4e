-- Undo a claim whose message was never stored: the same message may be sent again.
DELETE FROM chat.turns t
WHERE t.id = %(turn_id)s AND t.user_id = %(user_id)s
  AND t.state = 'running' AND t.runner = %(runner)s
  AND NOT EXISTS (SELECT FROM chat.messages m WHERE m.user_id = t.user_id AND m.turn_id = t.id)
