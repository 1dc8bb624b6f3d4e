-- Turns that no window took yet, oldest first, with what tells whether they are final.
-- Kept: user_id text, character_ids uuid[], limit integer -> id uuid, session_id uuid, "position"
--   bigint, created_at timestamptz, time_zone text, running boolean, closing boolean, last_active_at
--   timestamptz, followed boolean, next_memory_at bigint, user_message_id uuid, user_body bytea,
--   user_at timestamptz, reply_id uuid, reply_body bytea, reply_by uuid, reply_at timestamptz
SELECT t.id, t.session_id, t.position, t.created_at, t.time_zone,
       t.state = 'running' AND t.lease_until > now() AS running,
       s.status <> 'active' OR s.expires_at <= now() AS closing,
       s.last_active_at,
       EXISTS (SELECT FROM chat.turns n
               JOIN chat.messages nm ON nm.turn_id = n.id AND nm.role = 'user'
               WHERE n.session_id = t.session_id AND n.position > t.position) AS followed,
       -- A reset of one of the cast parts windows as a memory does, and so does a turn that is done
       -- with: a window holds no turn but its own.
       least((SELECT min(m.first_position)
              FROM memory.memories m
              WHERE m.user_id = t.user_id AND m.character_ids = t.character_ids
                AND m.invalidated_at IS NULL
                AND m.last_position > t.position AND m.first_position > t.position),
             (SELECT min(p.reset_through) + 1
              FROM memory.pairs p
              WHERE p.user_id = t.user_id
                AND p.character_ids IN (SELECT ARRAY[c] FROM unnest(t.character_ids) AS c)
                AND p.reset_through >= t.position),
             (SELECT min(c.position)
              FROM chat.turns c
              WHERE c.user_id = t.user_id AND c.character_ids = t.character_ids AND c.closed
                AND c.position > t.position)) AS next_memory_at,
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
  AND NOT t.closed
  AND NOT EXISTS (
      SELECT FROM memory.memories m
      WHERE m.user_id = t.user_id AND m.character_ids = t.character_ids
        AND m.invalidated_at IS NULL
        AND m.last_position >= t.position AND m.first_position <= t.position
      OFFSET 0)  -- looked up for each of a few turns; as a join it would read all memories
  -- A turn whose process died before its message was kept holds nothing, and never will here.
  AND (u.id IS NOT NULL OR (t.state = 'running' AND t.lease_until > now()))
ORDER BY t.position
LIMIT %(limit)s
