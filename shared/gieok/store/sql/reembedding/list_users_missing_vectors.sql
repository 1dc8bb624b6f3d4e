-- Users with live memories that lack a vector of a model, some at once.
SELECT DISTINCT mc.user_id
FROM memory.memory_characters mc
WHERE mc.live AND mc.user_id > %(after)s
  AND NOT EXISTS (
      SELECT FROM memory.vector_blocks v
      WHERE v.user_id = mc.user_id AND v.character_id = mc.character_id
        AND v.model = %(model)s AND v.block = mc.seq / memory.vectors_a_block()
        AND memory.holds(v.held, mc.seq))
ORDER BY mc.user_id
LIMIT %(limit)s
