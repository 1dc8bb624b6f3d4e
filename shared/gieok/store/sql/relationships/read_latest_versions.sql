-- The newest versions of a relationship that stand and are made, a few, oldest first.
SELECT id, character_id, version, body, source, memory_id, created_at, invalidated_at
FROM (
    SELECT *
    FROM memory.relationship_versions
    WHERE user_id = %(user_id)s AND character_id = %(character_id)s AND invalidated_at IS NULL
      AND body <> ''
    ORDER BY version DESC
    LIMIT %(limit)s
) AS latest
ORDER BY version
