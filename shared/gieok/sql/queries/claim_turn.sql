-- Begin a turn: one per client message id, one at a time per session. A dead one is taken over.
INSERT INTO chat.turns
    (id, user_id, session_id, character_ids, client_message_id, number, lease_until)
SELECT %(turn_id)s, s.user_id, s.id, s.character_ids, %(client_message_id)s,
       1 + (SELECT count(*) FROM chat.turns t WHERE t.session_id = s.id),
       now() + %(lease)s
FROM chat.sessions s
WHERE s.id = %(session_id)s AND s.user_id = %(user_id)s
  AND (%(character_ids)s::uuid[] = '{}' OR s.character_ids = %(character_ids)s::uuid[])
  AND s.status = 'active' AND s.expires_at > now()
  AND NOT EXISTS (
      SELECT FROM chat.turns r
      WHERE r.session_id = s.id AND r.state = 'running'
        AND r.client_message_id <> %(client_message_id)s)
ON CONFLICT (user_id, client_message_id) DO UPDATE
    -- Behind no cursor that moved on meanwhile: what is said now counts from now.
    SET lease_until = excluded.lease_until, position = DEFAULT
    WHERE chat.turns.state = 'running'
      AND (chat.turns.lease_until < now() OR chat.turns.id = excluded.id)
RETURNING id
