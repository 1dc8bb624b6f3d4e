-- Vectors of memories that still say what was embedded, in every relationship they belong to.
WITH given AS (
    SELECT * FROM unnest(%(memory_ids)s::uuid[], %(versions)s::integer[], %(models)s::text[],
                         %(vectors)s::text[]) AS g (memory_id, version, model, embedding)
), standing AS MATERIALIZED (
    -- An edit, a mute or a removal at this moment comes before us or after us, never in between.
    SELECT m.id, m.version
    FROM memory.memories m
    WHERE m.user_id = %(user_id)s AND m.id IN (SELECT memory_id FROM given)
      AND m.invalidated_at IS NULL
    ORDER BY m.id
    FOR SHARE
), added AS (
    SELECT memory.put_vector(mc.user_id, mc.character_id, mc.seq, g.model, g.embedding::halfvec)
    FROM given g
    JOIN standing s ON s.id = g.memory_id AND s.version = g.version
    JOIN memory.memory_characters mc ON mc.user_id = %(user_id)s AND mc.memory_id = g.memory_id
    ORDER BY mc.character_id, mc.seq
), flagged AS (
    UPDATE memory.memory_characters mc
    SET embedded = true, refused_by = NULL
    FROM given g
    JOIN standing s ON s.id = g.memory_id AND s.version = g.version
    WHERE mc.user_id = %(user_id)s AND mc.memory_id = g.memory_id
      AND g.model = (SELECT memory.embedding_model()) AND NOT mc.embedded
)
SELECT count(DISTINCT g.memory_id) AS written, (SELECT count(*) FROM added) AS vectors
FROM given g
JOIN standing s ON s.id = g.memory_id AND s.version = g.version
