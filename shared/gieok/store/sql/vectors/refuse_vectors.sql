-- Memories that still say what a model refuses to embed wait for no vector of it.
WITH standing AS MATERIALIZED (
    -- An edit or a removal at this moment comes before us or after us, never in between.
    SELECT m.id, m.version
    FROM memory.memories m
    WHERE m.user_id = %(user_id)s AND m.id = ANY (%(memory_ids)s::uuid[])
      AND m.invalidated_at IS NULL
    ORDER BY m.id
    FOR SHARE
)
UPDATE memory.memory_characters mc
SET refused_by = %(model)s,
    embedded = mc.embedded OR coalesce(%(model)s = (SELECT memory.embedding_model()), false)
FROM unnest(%(memory_ids)s::uuid[], %(versions)s::integer[]) AS g (memory_id, version)
JOIN standing s ON s.id = g.memory_id AND s.version = g.version
WHERE mc.user_id = %(user_id)s AND mc.memory_id = g.memory_id
