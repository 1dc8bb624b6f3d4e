-- What windows left besides their memories stands no more: relationship versions and facts. The pairs
-- are locked. Windows that are being extracted know an older state: their fences move.
WITH windows AS MATERIALIZED (
    SELECT array_agg(id) AS ids
    FROM memory.memories
    WHERE user_id = %(user_id)s AND id = ANY (%(memory_ids)s::uuid[])
      AND (%(summary)s::bytea IS NULL OR summary = %(summary)s)
), states AS (
    UPDATE memory.relationship_versions
    SET invalidated_at = now()
    WHERE user_id = %(user_id)s AND memory_id = ANY ((SELECT ids FROM windows)::uuid[])
      AND invalidated_at IS NULL
    RETURNING character_id
), facts AS (
    UPDATE memory.facts
    SET invalidated_at = now()
    WHERE user_id = %(user_id)s AND memory_id = ANY ((SELECT ids FROM windows)::uuid[])
      AND invalidated_at IS NULL
)
UPDATE memory.pairs
SET version = version + 1
WHERE user_id = %(user_id)s AND character_ids && (SELECT array_agg(character_id) FROM states)
