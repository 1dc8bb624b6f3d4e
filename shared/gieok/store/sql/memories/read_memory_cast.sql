-- Whose memory it is, also when it fell and is being made anew.
SELECT m.character_ids
FROM memory.memories m
WHERE m.id = %(memory_id)s AND m.user_id = %(user_id)s
  -- One without a place in any relationship is being removed.
  AND EXISTS (SELECT FROM memory.memory_characters mc
              WHERE mc.user_id = m.user_id AND mc.memory_id = m.id)
