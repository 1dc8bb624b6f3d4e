-- Windows that were put aside and not tried again since, oldest first, with how many of their
-- messages are still kept.
SELECT w.id, w.user_id, w.character_ids, w.first_position, w.last_position, w.reason, w.attempts,
       w.parked_at, w.turns,
       (SELECT count(*)
        FROM chat.turns t
        JOIN chat.messages m
            ON m.user_id = t.user_id AND m.turn_id = t.id AND m.role = 'user'
        WHERE t.user_id = w.user_id AND t.character_ids = w.character_ids
          AND t.position BETWEEN w.first_position AND w.last_position) AS kept
FROM ops.parked_windows w
WHERE w.retried_at IS NULL AND w.id > %(after)s
ORDER BY w.id
LIMIT %(limit)s
