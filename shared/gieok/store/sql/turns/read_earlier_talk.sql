-- The newest ended turns of other sessions that no memory covers yet, newest first: of casts that
-- hold everybody here, so that nobody hears what was said without them. What lies behind a cursor is
-- done with: covered, worth none, or put aside. What one of those here was made to forget stays so.
-- Kept: user_id text, session_id uuid, limit integer, before bigint, keep interval -> character_ids
--   uuid[], names text[], user_message_id uuid, user_body bytea, user_at timestamptz, reply_id uuid,
--   reply_body bytea, reply_by uuid, reply_at timestamptz
WITH casts AS MATERIALIZED (
    SELECT p.character_ids,
           greatest(p.covered_through, p.skipped_through,
                    (SELECT max(r.reset_through)
                     FROM memory.pairs r
                     WHERE r.user_id = s.user_id
                       AND r.character_ids IN (SELECT ARRAY[c]
                                               FROM unnest(s.character_ids) AS c))) AS done_through
    FROM chat.sessions s
    JOIN memory.pairs p ON p.user_id = s.user_id AND p.character_ids @> s.character_ids
    WHERE s.id = %(session_id)s AND s.user_id = %(user_id)s
), newest AS MATERIALIZED (
    -- Chosen first: messages are looked up for a few turns.
    SELECT t.id, t.position, t.character_ids
    FROM casts
    CROSS JOIN LATERAL (
        SELECT late.id, late.position, late.character_ids
        FROM chat.turns late
        WHERE late.user_id = %(user_id)s AND late.position > casts.done_through
          AND late.character_ids = casts.character_ids AND NOT late.closed
          AND late.session_id <> %(session_id)s AND late.state <> 'running'
          -- Written so that no index serves it: the one by age holds everybody's turns.
          AND late.created_at + %(keep)s > now()
          AND (%(before)s IS NULL OR late.position < %(before)s)
          AND NOT EXISTS (
              SELECT FROM memory.memories m
              WHERE m.user_id = late.user_id AND m.character_ids = late.character_ids
                AND m.invalidated_at IS NULL
                AND m.last_position >= late.position AND m.first_position <= late.position
              OFFSET 0)
          -- Nor is what was muted brought up while its memory is made anew.
          AND NOT EXISTS (
              SELECT FROM memory.memories fell
              WHERE fell.user_id = late.user_id AND fell.id = late.fallen_memory
                AND fell.muted_at IS NOT NULL
              OFFSET 0)
        ORDER BY late.position DESC
        LIMIT %(limit)s) AS t
    ORDER BY t.position DESC
    LIMIT %(limit)s
)
SELECT t.character_ids,
       (SELECT array_agg(coalesce((SELECT c.name FROM chat.characters c WHERE c.id = here.id), '')
                         ORDER BY here.place)
        FROM unnest(t.character_ids) WITH ORDINALITY AS here (id, place)) AS names,
       u.id AS user_message_id, u.body AS user_body, u.created_at AS user_at,
       r.id AS reply_id, r.body AS reply_body, r.character_id AS reply_by, r.created_at AS reply_at
FROM newest t
JOIN chat.messages u ON u.user_id = %(user_id)s AND u.turn_id = t.id AND u.role = 'user'
    AND NOT u.forgotten
LEFT JOIN chat.messages r
    ON r.user_id = %(user_id)s AND r.turn_id = t.id AND r.role = 'assistant'
    AND NOT r.forgotten
ORDER BY t.position DESC
