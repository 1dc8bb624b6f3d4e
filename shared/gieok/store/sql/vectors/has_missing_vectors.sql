-- Whether a cast has live memories without a vector of a model: its characters' oldest ones, or any
-- that waits for one. A few probes of indexes, however much is remembered.
-- Kept: user_id text, character_ids uuid[], model text -> missing boolean
SELECT EXISTS (
    SELECT
    FROM unnest(%(character_ids)s) AS c (character_id)
    CROSS JOIN LATERAL (
        (SELECT seq
         FROM memory.memory_characters
         WHERE user_id = %(user_id)s AND character_id = c.character_id AND live
         ORDER BY seq
         LIMIT 1)
        UNION ALL
        SELECT seq
        FROM memory.memory_characters
        WHERE user_id = %(user_id)s AND character_id = c.character_id AND live AND NOT embedded
    ) AS suspect
    WHERE NOT EXISTS (
        SELECT FROM memory.vector_blocks v
        WHERE v.user_id = %(user_id)s AND v.character_id = c.character_id AND v.model = %(model)s
          AND v.block = suspect.seq / memory.vectors_a_block() AND memory.holds(v.held, suspect.seq))
      -- What the model refuses to embed is not waited for.
      AND NOT EXISTS (
        SELECT FROM memory.memory_characters r
        WHERE r.user_id = %(user_id)s AND r.character_id = c.character_id AND r.seq = suspect.seq
          AND r.refused_by = %(model)s)) AS missing
