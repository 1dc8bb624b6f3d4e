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
    RETURNING character_id, version
), to_be_made AS (
    -- A later version carries on what was lost. An empty one on top is to be made of the others
    -- before anybody shows the relationship (gieok.relationship_versions).
    INSERT INTO memory.relationship_versions (id, user_id, character_id, version, body, source)
    SELECT gen_random_uuid(), %(user_id)s, r.character_id, 1 + max(r.version), '', 'recomputed'
    FROM memory.relationship_versions r
    WHERE r.user_id = %(user_id)s AND r.character_id IN (SELECT character_id FROM states)
    GROUP BY r.character_id
    HAVING max(r.version) FILTER (
               WHERE r.invalidated_at IS NULL
                 AND (r.character_id, r.version) NOT IN (SELECT character_id, version FROM states))
           > (SELECT min(s.version) FROM states s WHERE s.character_id = r.character_id)
), facts AS (
    UPDATE memory.facts
    SET invalidated_at = now()
    WHERE user_id = %(user_id)s AND memory_id = ANY ((SELECT ids FROM windows)::uuid[])
      AND invalidated_at IS NULL
)
UPDATE memory.pairs
SET version = version + 1
WHERE user_id = %(user_id)s AND character_ids && (SELECT array_agg(character_id) FROM states)
