-- Turns after the cursor, oldest first, with what tells whether they are final.
SELECT t.id, t.session_id, t.position, t.state, t.created_at,
       t.state = 'running' AND t.lease_until > now() AS running,
       s.status <> 'active' OR s.expires_at <= now() AS closing,
       s.last_active_at,
       EXISTS (SELECT FROM chat.turns n
               JOIN chat.messages nm ON nm.turn_id = n.id AND nm.role = 'user'
               WHERE n.session_id = t.session_id AND n.position > t.position) AS followed,
       u.id AS user_message_id, u.body AS user_body, u.created_at AS user_at,
       r.id AS reply_id, r.body AS reply_body, r.character_id AS reply_by, r.created_at AS reply_at
FROM chat.turns t
JOIN chat.sessions s ON s.id = t.session_id
LEFT JOIN chat.messages u ON u.turn_id = t.id AND u.role = 'user'
LEFT JOIN chat.messages r ON r.turn_id = t.id AND r.role = 'assistant'
WHERE t.user_id = %(user_id)s AND t.character_ids = %(character_ids)s
  AND t.position > coalesce((
      SELECT greatest(p.covered_through, p.skipped_through)
      FROM memory.pairs p
      WHERE p.user_id = %(user_id)s AND p.character_ids = %(character_ids)s), 0)
ORDER BY t.position
LIMIT %(limit)s
