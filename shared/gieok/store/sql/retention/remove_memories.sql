-- Some memories that were a reset character's and are nobody's any more, in order of their ids.
WITH nobodys AS (
    SELECT m.id
    FROM memory.memories m
    WHERE m.user_id = %(user_id)s AND m.id > %(after)s
      AND %(character_id)s = ANY (m.character_ids)
      AND NOT EXISTS (SELECT FROM memory.memory_characters mc
                      WHERE mc.user_id = m.user_id AND mc.memory_id = m.id)
    ORDER BY m.id
    LIMIT %(batch)s
), gone AS (
    DELETE FROM memory.memories
    WHERE user_id = %(user_id)s AND id IN (SELECT id FROM nobodys)
)
SELECT id FROM nobodys ORDER BY id DESC LIMIT 1
