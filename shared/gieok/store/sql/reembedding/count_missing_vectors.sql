-- Live memories, how many of them lack a vector of a model, and how many of these it refuses.
SELECT (SELECT count(*) FROM (
            SELECT DISTINCT memory_id FROM memory.memory_characters WHERE live) AS m) AS live,
       (SELECT count(*) FROM (
            SELECT DISTINCT mc.memory_id
            FROM memory.memory_characters mc
            WHERE mc.live
              AND NOT EXISTS (
                  SELECT FROM memory.vectors v
                  WHERE v.user_id = mc.user_id AND v.character_id = mc.character_id
                    AND v.seq = mc.seq AND v.model = %(model)s)) AS m) AS missing,
       (SELECT count(*) FROM (
            SELECT DISTINCT mc.memory_id
            FROM memory.memory_characters mc
            WHERE mc.live AND mc.refused_by = %(model)s
              AND NOT EXISTS (
                  SELECT FROM memory.vectors v
                  WHERE v.user_id = mc.user_id AND v.character_id = mc.character_id
                    AND v.seq = mc.seq AND v.model = %(model)s)) AS m) AS refused
