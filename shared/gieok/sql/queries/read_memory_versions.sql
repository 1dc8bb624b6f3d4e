-- What a memory said before each of its edits, newest first.
SELECT version, summary, importance, replaced_at
FROM memory.memory_versions
WHERE memory_id = %(memory_id)s AND user_id = %(user_id)s
ORDER BY version DESC
LIMIT %(limit)s
