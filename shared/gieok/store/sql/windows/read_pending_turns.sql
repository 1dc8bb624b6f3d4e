-- Turns that no window took yet, oldest first, with what tells whether they are final.
-- Kept: user_id text, character_ids uuid[], limit integer -> id uuid, session_id uuid, "position"
--   bigint, created_at timestamptz, time_zone text, running boolean, closing boolean, last_active_at
--   timestamptz, followed boolean, ends_before bigint, user_message_id uuid, user_body bytea,
--   user_at timestamptz, reply_id uuid, reply_body bytea, reply_by uuid, reply_at timestamptz
WITH waiting AS MATERIALIZED (
    SELECT t.*
    FROM (
        SELECT coalesce(max(greatest(covered_through, skipped_through)), 0) AS done_through
        FROM memory.pairs
        WHERE user_id = %(user_id)s AND character_ids = %(character_ids)s
    ) AS cursor_of
    CROSS JOIN LATERAL (
        SELECT id, user_id, session_id, character_ids, position, created_at, time_zone, state,
               lease_until, fallen_memory
        FROM chat.turns
        WHERE user_id = %(user_id)s AND character_ids = %(character_ids)s AND NOT closed
          AND position > cursor_of.done_through
        OFFSET 0
    ) AS t
)
SELECT t.id, t.session_id, t.position, t.created_at, t.time_zone,
       t.state = 'running' AND t.lease_until > now() AS running,
       s.status <> 'active' OR s.expires_at <= now() AS closing,
       s.last_active_at,
       EXISTS (SELECT FROM chat.turns n
               JOIN chat.messages nm
                   ON nm.user_id = n.user_id AND nm.turn_id = n.id AND nm.role = 'user'
               WHERE n.user_id = t.user_id AND n.session_id = t.session_id AND n.position > t.position) AS followed,
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
                AND c.position > t.position),
             -- So do what the user decided of a memory that fell: it holds for these turns alone.
             (SELECT min(c.position)
              FROM chat.turns c
              WHERE c.user_id = t.user_id AND c.character_ids = t.character_ids
                AND c.position > t.position
                AND c.fallen_memory IS NOT NULL AND c.fallen_memory IS DISTINCT FROM t.fallen_memory),
             CASE WHEN t.fallen_memory IS NOT NULL THEN (
                 SELECT min(c.position)
                 FROM chat.turns c
                 WHERE c.user_id = t.user_id AND c.character_ids = t.character_ids
                   AND c.position > t.position AND c.fallen_memory IS NULL) END) AS ends_before,
       u.id AS user_message_id, u.body AS user_body, u.created_at AS user_at,
       r.id AS reply_id, r.body AS reply_body, r.character_id AS reply_by, r.created_at AS reply_at
FROM waiting t
-- Looked up for each of a few turns; joined, all that the user has might be read.
CROSS JOIN LATERAL (SELECT status, expires_at, last_active_at
                    FROM chat.sessions
                    WHERE user_id = t.user_id AND id = t.session_id OFFSET 0) AS s
LEFT JOIN LATERAL (SELECT id, body, created_at FROM chat.messages
                   WHERE user_id = t.user_id AND turn_id = t.id AND role = 'user' OFFSET 0) AS u ON true
LEFT JOIN LATERAL (SELECT id, body, character_id, created_at FROM chat.messages
                   WHERE user_id = t.user_id AND turn_id = t.id AND role = 'assistant'
                     AND NOT forgotten
                   OFFSET 0) AS r ON true
WHERE NOT EXISTS (
      SELECT FROM memory.memories m
      WHERE m.user_id = t.user_id AND m.character_ids = t.character_ids
        AND m.invalidated_at IS NULL
        AND m.last_position >= t.position AND m.first_position <= t.position
      OFFSET 0)
  -- A turn whose process died before its message was kept holds nothing, and never will here.
  AND (u.id IS NOT NULL OR (t.state = 'running' AND t.lease_until > now()))
ORDER BY t.position
LIMIT %(limit)s
