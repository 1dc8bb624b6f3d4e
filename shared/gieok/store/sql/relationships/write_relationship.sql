-- A version that the user or a recomputation made, if the newest is still the one it was made from.
-- The pairs are locked. Windows that are being extracted know an older state: their fences move.
WITH written AS (
    INSERT INTO memory.relationship_versions
        (id, user_id, character_id, version, body, source, memory_id)
    SELECT %(id)s, %(user_id)s, %(character_id)s,
           1 + coalesce((SELECT max(version) FROM memory.relationship_versions
                         WHERE user_id = %(user_id)s AND character_id = %(character_id)s), 0),
           %(body)s, %(source)s, %(memory_id)s
    WHERE %(base)s = coalesce((SELECT max(version) FROM memory.relationship_versions
                               WHERE user_id = %(user_id)s AND character_id = %(character_id)s
                                 AND invalidated_at IS NULL), 0)
    RETURNING version
), made AS (
    -- Whatever was to be made is made now.
    DELETE FROM memory.relationship_versions r
    USING written
    WHERE r.user_id = %(user_id)s AND r.character_id = %(character_id)s AND r.body = ''
), raised AS (
    UPDATE memory.pairs p
    SET version = p.version + 1
    FROM written
    WHERE p.user_id = %(user_id)s AND %(character_id)s = ANY (p.character_ids)
)
SELECT version FROM written
