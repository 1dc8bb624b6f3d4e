-- Every version of a relationship, those that stand no more included, oldest first.
SELECT id, character_id, version, body, source, memory_id, created_at, invalidated_at
FROM memory.relationship_versions
WHERE user_id = %(user_id)s AND character_id = %(character_id)s
ORDER BY version
