-- Users with live memories that lack a vector of a model, some at once.
SELECT DISTINCT mc.user_id
FROM memory.memory_characters mc
WHERE mc.live AND mc.user_id > %(after)s
  AND NOT EXISTS (
      SELECT FROM memory.vectors v
      WHERE v.user_id = mc.user_id AND v.character_id = mc.character_id
        AND v.seq = mc.seq AND v.model = %(model)s)
ORDER BY mc.user_id
LIMIT %(limit)s
