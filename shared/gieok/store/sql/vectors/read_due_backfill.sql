-- Memories of a cast that wait for a vector, when it is time to try, oldest first.
SELECT m.id, m.version, m.summary, m.asked_as
FROM memory.memories m
WHERE m.user_id = %(user_id)s
  AND m.id IN (
      SELECT mc.memory_id
      FROM memory.memory_characters mc
      LEFT JOIN memory.pairs p
          ON p.user_id = mc.user_id AND p.character_ids = ARRAY[mc.character_id]
      WHERE mc.user_id = %(user_id)s AND mc.character_id = ANY (%(character_ids)s)
        AND mc.live AND NOT mc.embedded AND coalesce(p.backfill_at <= %(now)s, true))
ORDER BY m.id
LIMIT %(limit)s
