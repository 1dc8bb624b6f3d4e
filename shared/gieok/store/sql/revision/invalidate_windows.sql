-- What windows made of turns that go or change: their memories, facts and relationship states stand no
-- more, their turns are to be remembered anew and the cursor steps back. A pinned memory stands, and
-- one in the user's words while no words of the user's go or change. Nothing, while the session
-- answers a message.
WITH touched AS (
    SELECT t.id, t.position, t.id IS NOT DISTINCT FROM %(answer_of)s AS answer_only
    FROM chat.turns t
    WHERE t.user_id = %(user_id)s AND t.session_id = %(session_id)s
      AND t.position BETWEEN %(first_position)s AND %(last_position)s
      -- A turn that only loses its answer does not change when it has none; one gets its first.
      AND (t.id IS DISTINCT FROM %(answer_of)s OR t.id = %(own)s
           OR EXISTS (SELECT FROM chat.messages m
                      WHERE m.user_id = t.user_id AND m.turn_id = t.id
                        AND m.role = 'assistant'))
      AND NOT chat.answering(%(user_id)s, %(session_id)s, %(own)s)
), windows AS (
    SELECT m.id, m.first_position, m.last_position,
           m.pinned_at IS NOT NULL
           OR (m.reworded_at IS NOT NULL
               AND NOT EXISTS (
                   SELECT FROM touched
                   WHERE NOT touched.answer_only
                     AND touched.position BETWEEN m.first_position AND m.last_position)) AS stands
    FROM memory.memories m
    WHERE m.user_id = %(user_id)s AND m.character_ids = %(character_ids)s::uuid[]
      AND m.invalidated_at IS NULL
      AND EXISTS (SELECT FROM touched
                  WHERE touched.position BETWEEN m.first_position AND m.last_position)
), facts AS (
    UPDATE memory.facts
    SET invalidated_at = now()
    WHERE user_id = %(user_id)s AND memory_id IN (SELECT id FROM windows)
      AND invalidated_at IS NULL
), states AS (
    UPDATE memory.relationship_versions
    SET invalidated_at = now()
    WHERE user_id = %(user_id)s AND memory_id IN (SELECT id FROM windows)
      AND invalidated_at IS NULL
), fallen AS (
    UPDATE memory.memories
    SET invalidated_at = now()
    WHERE user_id = %(user_id)s AND id IN (SELECT id FROM windows WHERE NOT stands)
    RETURNING id, first_position, last_position,
              muted_at IS NOT NULL OR weighed_at IS NOT NULL AS decided
), opened AS (
    SELECT t.id, t.position, t.closed,
           CASE WHEN f.decided THEN f.id
                WHEN f.id IS NULL THEN t.fallen_memory END AS fallen_memory
    FROM chat.turns t
    LEFT JOIN fallen f ON t.position BETWEEN f.first_position AND f.last_position
    LEFT JOIN touched ON touched.id = t.id
    WHERE t.user_id = %(user_id)s AND t.character_ids = %(character_ids)s::uuid[]
      AND (f.id IS NOT NULL
           OR (touched.id IS NOT NULL
               AND NOT EXISTS (SELECT FROM windows w
                               WHERE w.stands
                                 AND t.position BETWEEN w.first_position AND w.last_position)))
      -- A turn whose memory the user deleted is opened by new words of the user's alone.
      AND (touched.answer_only IS FALSE
           OR NOT EXISTS (SELECT FROM chat.messages m
                          WHERE m.user_id = t.user_id AND m.turn_id = t.id AND m.role = 'user'
                            AND m.forgotten))
), back AS (
    SELECT p.character_ids, greatest(p.covered_through, p.skipped_through) AS done_through,
           (SELECT min(position) - 1 FROM opened) AS through
    FROM memory.pairs p
    WHERE p.user_id = %(user_id)s AND p.character_ids = %(character_ids)s::uuid[]
), passed AS (
    -- Whatever else lies between was done with: the cursor must not take it up again.
    SELECT t.id, t.fallen_memory
    FROM chat.turns t
    JOIN back ON t.position > back.through AND t.position <= back.done_through
    WHERE t.user_id = %(user_id)s AND t.character_ids = back.character_ids AND NOT t.closed
      AND t.id NOT IN (SELECT id FROM opened)
), closed AS (
    UPDATE chat.turns t
    SET closed = changed.closed, fallen_memory = changed.fallen_memory
    FROM (SELECT id, false AS closed, fallen_memory FROM opened
          UNION ALL SELECT id, true, fallen_memory FROM passed) AS changed
    WHERE t.user_id = %(user_id)s AND t.id = changed.id
), cursor AS (
    UPDATE memory.pairs p
    SET covered_through = least(p.covered_through, back.through),
        skipped_through = least(p.skipped_through, back.through),
        failures = 0, retry_at = NULL
    FROM back
    WHERE p.user_id = %(user_id)s AND p.character_ids = back.character_ids
      AND back.through < back.done_through
)
-- How many were done with, as a memory or as worth none, and are to be read again.
SELECT count(*) AS reopened
FROM opened o, back
WHERE o.closed OR o.position <= back.done_through
