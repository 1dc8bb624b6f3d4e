-- What is left of a parked window is to be read again: its turns are open, the cursor steps back, and
-- what else lies in between was done with. supersede_parked_scope came before.
WITH parked AS (
    SELECT * FROM ops.parked_windows WHERE id = %(parked_id)s
), kept AS (
    -- Whatever its user changed since was opened by that, and read or left by a window of its own.
    SELECT t.id, t.position,
           NOT EXISTS (SELECT FROM chat.messages m
                       WHERE m.user_id = t.user_id AND m.turn_id = t.id
                         AND (m.forgotten
                              OR greatest(m.created_at, m.edited_at) > w.parked_at))
           AND NOT EXISTS (SELECT FROM memory.memories m
                           WHERE m.user_id = t.user_id AND m.character_ids = t.character_ids
                             AND m.invalidated_at IS NULL
                             AND t.position BETWEEN m.first_position AND m.last_position)
           -- Nor what everyone of the cast was made to forget.
           AND EXISTS (SELECT
                       FROM unnest(t.character_ids) AS c
                       LEFT JOIN memory.pairs p
                           ON p.user_id = t.user_id AND p.character_ids = ARRAY[c]
                       WHERE t.position > coalesce(p.reset_through, 0)) AS unread
    FROM parked w
    JOIN chat.turns t ON t.user_id = w.user_id AND t.character_ids = w.character_ids
        AND t.position BETWEEN w.first_position AND w.last_position
    WHERE EXISTS (SELECT FROM chat.messages m
                  WHERE m.user_id = t.user_id AND m.turn_id = t.id AND m.role = 'user')
), back AS (
    SELECT p.user_id, p.character_ids,
           greatest(p.covered_through, p.skipped_through) AS done_through,
           (SELECT min(position) - 1 FROM kept WHERE unread) AS through
    FROM parked w
    JOIN memory.pairs p ON p.user_id = w.user_id AND p.character_ids = w.character_ids
    WHERE EXISTS (SELECT FROM kept WHERE unread)
), closed AS (
    UPDATE chat.turns t
    SET closed = NOT t.closed
    FROM back
    WHERE t.user_id = back.user_id AND t.character_ids = back.character_ids
      AND t.closed = (t.id IN (SELECT id FROM kept WHERE unread))
      AND (t.closed OR (t.position > back.through AND t.position <= back.done_through))
), cursor AS (
    UPDATE memory.pairs p
    SET covered_through = least(p.covered_through, back.through),
        skipped_through = least(p.skipped_through, back.through),
        failures = 0, retry_at = NULL
    FROM back
    WHERE p.user_id = back.user_id AND p.character_ids = back.character_ids
), marked AS (
    UPDATE ops.parked_windows
    SET retried_at = now()
    WHERE id = %(parked_id)s AND EXISTS (SELECT FROM kept)
)
SELECT (SELECT count(*) FROM kept) AS kept, (SELECT count(*) FROM kept WHERE unread) AS unread
FROM parked
