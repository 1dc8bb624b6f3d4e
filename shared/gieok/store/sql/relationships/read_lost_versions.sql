-- Versions that were lost since a later one that carries on what they said, the newest first, each
-- with the one that it was made from.
SELECT l.id, l.version, l.body, was.id AS was_id, was.version AS was_version, was.body AS was_body
FROM memory.relationship_versions l
LEFT JOIN LATERAL (
    SELECT id, version, body
    FROM memory.relationship_versions w
    WHERE w.user_id = l.user_id AND w.character_id = l.character_id AND w.version < l.version
      AND w.body <> '' AND (w.invalidated_at IS NULL OR w.carried_through >= l.version)
    ORDER BY version DESC
    LIMIT 1
) AS was ON true
WHERE l.user_id = %(user_id)s AND l.character_id = %(character_id)s
  AND l.invalidated_at IS NOT NULL AND l.body <> ''
  AND l.carried_through >= %(carrying)s AND l.version < %(carrying)s
ORDER BY l.version DESC
