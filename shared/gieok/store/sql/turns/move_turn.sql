-- A turn that begins again counts for memory from now on, unless a memory was made of it already; one
-- that the user had deleted never does.
UPDATE chat.turns t
SET position = DEFAULT, closed = EXISTS (
        SELECT FROM chat.messages m
        WHERE m.user_id = t.user_id AND m.turn_id = t.id AND m.role = 'user' AND m.forgotten)
WHERE t.id = %(turn_id)s AND t.user_id = %(user_id)s AND t.state = 'running'
  AND NOT EXISTS (
      SELECT FROM memory.memories m
      WHERE m.user_id = t.user_id AND m.character_ids = t.character_ids
        AND m.invalidated_at IS NULL
        AND t.position BETWEEN m.first_position AND m.last_position)
