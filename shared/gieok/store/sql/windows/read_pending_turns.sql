-- Turns that no window took yet, oldest first, with what tells whether they are final and when they are
-- due; before them the newest exchanges of the memory before, which name what these refer to.
-- Kept: user_id text, character_ids uuid[], limit integer, idle_after interval, flush_after interval,
--   earlier integer -> id uuid, session_id uuid, "position" bigint, created_at timestamptz, time_zone
--   text, running boolean, closing boolean, last_active_at timestamptz, followed boolean, ended_at
--   timestamptz, due_at timestamptz, ends_before bigint, earlier boolean, user_message_id uuid, user_body bytea, user_at
--   timestamptz, reply_id uuid, reply_body bytea, reply_by uuid, reply_at timestamptz
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
), pending AS MATERIALIZED (
    SELECT t.*, t.state = 'running' AND t.lease_until > now() AS running, false AS earlier
    FROM waiting t
    WHERE NOT EXISTS (SELECT FROM memory.holding(t.user_id, t.character_ids, t.position))
      -- A turn whose process died before its message was kept holds nothing, and never will here.
      AND (EXISTS (SELECT FROM chat.messages m
                   WHERE m.user_id = t.user_id AND m.turn_id = t.id AND m.role = 'user')
           OR (t.state = 'running' AND t.lease_until > now()))
    ORDER BY t.position
    LIMIT %(limit)s
), before AS MATERIALIZED (
    SELECT t.id, t.user_id, t.session_id, t.character_ids, t.position, t.created_at, t.time_zone,
           t.state, t.lease_until, t.fallen_memory, false AS running, true AS earlier
    FROM chat.turns t
    WHERE t.user_id = %(user_id)s AND t.character_ids = %(character_ids)s
      AND t.position < (SELECT min(position) FROM pending)
    ORDER BY t.position DESC
    LIMIT %(earlier)s
), shown AS (
    SELECT * FROM pending
    UNION ALL
    -- What was skipped, refused, deleted, muted or forgotten is not brought up again.
    SELECT * FROM before t
    WHERE EXISTS (SELECT FROM memory.memories m
                  WHERE m.user_id = t.user_id AND m.character_ids = t.character_ids
                    AND m.invalidated_at IS NULL AND m.muted_at IS NULL
                    AND m.last_position >= t.position AND m.first_position <= t.position
                  OFFSET 0)
      AND NOT EXISTS (SELECT FROM memory.pairs p
                      WHERE p.user_id = t.user_id
                        AND p.character_ids IN (SELECT ARRAY[c] FROM unnest(t.character_ids) AS c)
                        AND p.reset_through >= t.position
                      OFFSET 0)
)
SELECT t.id, t.session_id, t.position, t.created_at, t.time_zone, t.running,
       s.status <> 'active' OR s.expires_at <= now() AS closing,
       s.last_active_at,
       n.created_at IS NOT NULL
           OR EXISTS (SELECT FROM memory.met_anew(
                  t.user_id, t.character_ids, t.session_id, s.last_active_at)) AS followed,
       l.ended_at,
       memory.due_at(t.created_at, l.ended_at, n.created_at, s.last_active_at, s.expires_at,
                     %(idle_after)s, %(flush_after)s) AS due_at,
       e.ends_before, t.earlier,
       u.id AS user_message_id, u.body AS user_body, u.created_at AS user_at,
       r.id AS reply_id, r.body AS reply_body, r.character_id AS reply_by, r.created_at AS reply_at
FROM shown t
CROSS JOIN LATERAL memory.window_end(
        t.user_id, t.character_ids, t.position, t.fallen_memory) AS e
-- Looked up for each of a few turns; joined, all that the user has might be read.
CROSS JOIN LATERAL (SELECT status, expires_at, last_active_at
                    FROM chat.sessions
                    WHERE user_id = t.user_id AND id = t.session_id OFFSET 0) AS s
LEFT JOIN LATERAL (SELECT n.created_at
                   FROM chat.turns n
                   JOIN chat.messages nm
                       ON nm.user_id = n.user_id AND nm.turn_id = n.id AND nm.role = 'user'
                   WHERE n.user_id = t.user_id AND n.session_id = t.session_id
                     AND n.position > t.position
                   ORDER BY n.position LIMIT 1) AS n ON true
LEFT JOIN LATERAL (SELECT id, body, created_at FROM chat.messages
                   WHERE user_id = t.user_id AND turn_id = t.id AND role = 'user' OFFSET 0) AS u ON true
LEFT JOIN LATERAL (SELECT id, body, character_id, created_at FROM chat.messages
                   WHERE user_id = t.user_id AND turn_id = t.id AND role = 'assistant'
                     AND NOT forgotten
                   OFFSET 0) AS r ON true
CROSS JOIN LATERAL (
    SELECT t.created_at + coalesce(r.created_at - u.created_at, '0') AS ended_at) AS l
ORDER BY t.position
