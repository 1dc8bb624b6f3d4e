-- What windows made of turns that go or change: their memories (less pinned ones), facts and
-- relationship states stand no more, their turns are to be remembered anew and the cursor steps
-- back. Nothing, while the session answers a message.
WITH touched AS (
    SELECT t.id, t.position
    FROM chat.turns t
    WHERE t.user_id = %(user_id)s AND t.session_id = %(session_id)s
      AND t.position BETWEEN %(first_position)s AND %(last_position)s
      -- A turn that only loses its answer does not change when it has none.
      AND (t.id IS DISTINCT FROM %(losing)s
           OR EXISTS (SELECT FROM chat.messages m
                      WHERE m.user_id = t.user_id AND m.turn_id = t.id
                        AND m.role = 'assistant'))
      AND NOT chat.answering(%(user_id)s, %(session_id)s, %(own)s)
), windows AS (
    SELECT m.id, m.first_position, m.last_position, m.pinned_at IS NOT NULL AS pinned
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
), forgotten AS (
    UPDATE memory.memories
    SET invalidated_at = now()
    WHERE user_id = %(user_id)s AND id IN (SELECT id FROM windows WHERE NOT pinned)
    RETURNING first_position, last_position
), opened AS (
    SELECT t.id, t.position, t.closed
    FROM chat.turns t
    WHERE t.user_id = %(user_id)s AND t.character_ids = %(character_ids)s::uuid[]
      AND (EXISTS (SELECT FROM forgotten f
                   WHERE t.position BETWEEN f.first_position AND f.last_position)
           OR (t.id IN (SELECT id FROM touched)
               AND NOT EXISTS (SELECT FROM windows w
                               WHERE w.pinned
                                 AND t.position BETWEEN w.first_position AND w.last_position)))
), back AS (
    SELECT p.character_ids, greatest(p.covered_through, p.skipped_through) AS done_through,
           (SELECT min(position) - 1 FROM opened) AS through
    FROM memory.pairs p
    WHERE p.user_id = %(user_id)s AND p.character_ids = %(character_ids)s::uuid[]
), closed AS (
    -- Whatever else lies between was done with: the cursor must not take it up again.
    UPDATE chat.turns t
    SET closed = NOT t.closed
    FROM back
    WHERE t.user_id = %(user_id)s AND t.character_ids = back.character_ids
      AND t.closed = (t.id IN (SELECT id FROM opened))
      AND (t.closed OR (t.position > back.through AND t.position <= back.done_through))
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
