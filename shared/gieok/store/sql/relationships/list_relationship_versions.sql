-- Versions of a relationship that stand, newest first, a page from a version.
SELECT id, character_id, version, body, source, memory_id, created_at, invalidated_at
FROM memory.relationship_versions
WHERE user_id = %(user_id)s AND character_id = %(character_id)s AND invalidated_at IS NULL
  AND (%(before)s::integer IS NULL OR version < %(before)s)
ORDER BY version DESC
LIMIT %(limit)s
