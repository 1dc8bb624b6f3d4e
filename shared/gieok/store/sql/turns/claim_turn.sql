-- Begin a turn: one per client message id, one at a time per session. One that was never answered
-- begins again.
-- Kept: user_id text, session_id uuid, turn_id uuid, character_ids uuid[], client_message_id text,
--   time_zone text, lease interval -> id uuid
INSERT INTO chat.turns
    (id, user_id, session_id, character_ids, client_message_id, number, lease_until, runner,
     time_zone)
SELECT %(turn_id)s, s.user_id, s.id, s.character_ids, %(client_message_id)s, s.last_number + 1,
       now() + %(lease)s, %(turn_id)s, %(time_zone)s
FROM chat.sessions s
WHERE s.id = %(session_id)s AND s.user_id = %(user_id)s
  AND (%(character_ids)s::uuid[] = '{}' OR s.character_ids = %(character_ids)s::uuid[])
  AND s.status = 'active' AND s.expires_at > now()
  AND NOT EXISTS (
      SELECT FROM chat.turns r
      WHERE r.session_id = s.id AND r.state = 'running'
        AND r.client_message_id <> %(client_message_id)s)
ON CONFLICT (user_id, client_message_id) DO UPDATE
    SET state = 'running', lease_until = excluded.lease_until, runner = excluded.runner,
        reroll_id = NULL, time_zone = excluded.time_zone,
        number = CASE WHEN chat.turns.number = excluded.number - 1 THEN chat.turns.number
                      ELSE excluded.number END
    WHERE chat.turns.session_id = excluded.session_id
      AND (chat.turns.state = 'failed'
           OR (chat.turns.state = 'running' AND chat.turns.runner = excluded.runner))
RETURNING id
