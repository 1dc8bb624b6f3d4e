-- What the user decided of a memory that fell holds for the one that was just made in its place. A
-- window never mixes turns of two of them (see read_pending_turns.sql).
UPDATE memory.memories m
SET muted_at = fell.muted_at,
    weighed_at = fell.weighed_at,
    importance = CASE WHEN fell.weighed_at IS NULL THEN m.importance ELSE fell.importance END
FROM chat.turns t
JOIN memory.memories fell ON fell.user_id = t.user_id AND fell.id = t.fallen_memory
WHERE m.id = %(memory_id)s AND m.user_id = %(user_id)s
  AND t.user_id = m.user_id AND t.position = m.first_position
