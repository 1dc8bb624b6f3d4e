-- What a memory says and what it said before each of its edits, newest first, a page from a version.
SELECT version, summary, importance, replaced_at
FROM (
    SELECT version, summary, importance, NULL::timestamptz AS replaced_at
    FROM memory.memories
    WHERE id = %(memory_id)s AND user_id = %(user_id)s
    UNION ALL
    SELECT version, summary, importance, replaced_at
    FROM memory.memory_versions
    WHERE memory_id = %(memory_id)s AND user_id = %(user_id)s
) AS versions
WHERE %(before)s::integer IS NULL OR version < %(before)s
ORDER BY version DESC
LIMIT %(limit)s
