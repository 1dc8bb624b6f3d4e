-- Begin to answer a turn again, one at a time per session; what the user had said.
UPDATE chat.turns t
SET state = 'running', lease_until = now() + %(lease)s, runner = %(runner)s,
    reroll_id = %(reroll_id)s
FROM chat.sessions s, chat.messages u
WHERE t.id = %(turn_id)s AND t.user_id = %(user_id)s
  AND s.user_id = t.user_id AND s.id = t.session_id AND s.status = 'active' AND s.expires_at > now()
  AND u.user_id = t.user_id AND u.turn_id = t.id AND u.role = 'user'
  AND chat.answering_elsewhere(t.user_id, t.session_id) < %(most_running)s
  -- The same request comes once; a second run after a lost connection finds its own claim.
  AND CASE WHEN t.state = 'running' THEN t.runner = %(runner)s
           ELSE t.reroll_id IS DISTINCT FROM %(reroll_id)s END
  AND NOT EXISTS (
      SELECT FROM chat.rerolls o
      WHERE o.user_id = t.user_id AND o.reroll_id = %(reroll_id)s AND o.turn_id <> t.id)
  AND NOT EXISTS (
      SELECT FROM chat.client_messages o
      WHERE o.user_id = t.user_id AND o.client_message_id = %(reroll_id)s)
  AND NOT EXISTS (
      SELECT FROM chat.running_turns o
      WHERE o.user_id = t.user_id AND o.session_id = t.session_id AND o.turn_id <> t.id)
RETURNING t.position, t.time_zone, u.id, u.body, u.created_at
