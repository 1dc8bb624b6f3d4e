-- Live memories, how many of them lack a vector of a model, and how many of these it refuses.
SELECT (SELECT count(*) FROM (
            SELECT DISTINCT memory_id FROM memory.memory_characters WHERE live) AS m) AS live,
       (SELECT count(*) FROM (
            SELECT DISTINCT mc.memory_id
            FROM memory.memory_characters mc
            WHERE mc.live
              AND NOT EXISTS (
                  SELECT FROM memory.vector_blocks v
                  WHERE v.user_id = mc.user_id AND v.character_id = mc.character_id
                    AND v.model = %(model)s AND v.block = mc.seq / memory.vectors_a_block()
                    AND memory.holds(v.held, mc.seq))) AS m) AS missing,
       (SELECT count(*) FROM (
            SELECT DISTINCT mc.memory_id
            FROM memory.memory_characters mc
            WHERE mc.live AND mc.refused_by = %(model)s
              AND NOT EXISTS (
                  SELECT FROM memory.vector_blocks v
                  WHERE v.user_id = mc.user_id AND v.character_id = mc.character_id
                    AND v.model = %(model)s AND v.block = mc.seq / memory.vectors_a_block()
                    AND memory.holds(v.held, mc.seq))) AS m) AS refused
