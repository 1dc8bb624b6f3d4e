-- A turn that begins again counts for memory from now on, unless a memory was made of it already.
UPDATE chat.turns t
SET position = DEFAULT, closed = false
WHERE t.id = %(turn_id)s AND t.user_id = %(user_id)s AND t.state = 'running'
  AND NOT EXISTS (
      SELECT FROM memory.memories m
      WHERE m.user_id = t.user_id AND m.character_ids = t.character_ids
        AND m.invalidated_at IS NULL
        AND t.position BETWEEN m.first_position AND m.last_position)
