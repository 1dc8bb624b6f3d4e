-- What windows left besides their memories stands no more: relationship versions and facts. Windows
-- that are being extracted know an older state: their fences move.
WITH versions AS (
    UPDATE memory.relationship_versions
    SET invalidated_at = now()
    WHERE user_id = %(user_id)s AND memory_id = ANY (%(memory_ids)s::uuid[])
      AND invalidated_at IS NULL
    RETURNING character_id
), facts AS (
    UPDATE memory.facts
    SET invalidated_at = now()
    WHERE user_id = %(user_id)s AND memory_id = ANY (%(memory_ids)s::uuid[])
      AND invalidated_at IS NULL
), fences AS (
    SELECT character_ids
    FROM memory.pairs
    WHERE user_id = %(user_id)s AND character_ids && (SELECT array_agg(character_id) FROM versions)
    ORDER BY cardinality(character_ids) DESC, character_ids
    FOR UPDATE
), raised AS (
    UPDATE memory.pairs p
    SET version = p.version + 1
    FROM fences
    WHERE p.user_id = %(user_id)s AND p.character_ids = fences.character_ids
)
SELECT DISTINCT character_id FROM versions
