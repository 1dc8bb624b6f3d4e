-- Live memories of a user that lack a vector of a model, oldest first.
SELECT m.id, m.version, m.summary, m.asked_as
FROM memory.memories m
WHERE m.user_id = %(user_id)s AND m.id > %(after)s
  AND EXISTS (
      SELECT FROM memory.memory_characters mc
      WHERE mc.user_id = m.user_id AND mc.memory_id = m.id AND mc.live
        AND NOT EXISTS (
            SELECT FROM memory.vector_blocks v
            WHERE v.user_id = mc.user_id AND v.character_id = mc.character_id
              AND v.model = %(model)s AND v.block = mc.seq / memory.vectors_a_block()
              AND memory.holds(v.held, mc.seq)))
ORDER BY m.id
LIMIT %(limit)s
