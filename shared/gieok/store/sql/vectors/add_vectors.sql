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
), places AS MATERIALIZED (
    -- A reset at this moment waits for us, or left no place to find.
    SELECT mc.character_id, mc.seq, mc.memory_id
    FROM memory.memory_characters mc
    WHERE mc.user_id = %(user_id)s AND mc.memory_id IN (SELECT id FROM standing)
    ORDER BY mc.character_id, mc.seq
    FOR NO KEY UPDATE
), added AS (
    SELECT memory.put_vector(%(user_id)s, p.character_id, p.seq, g.model, g.embedding::halfvec)
    FROM given g
    JOIN standing s ON s.id = g.memory_id AND s.version = g.version
    JOIN places p ON p.memory_id = g.memory_id
    ORDER BY p.character_id, p.seq
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
