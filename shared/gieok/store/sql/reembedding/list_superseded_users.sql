-- Users with vectors of models that are not kept, some at once.
SELECT DISTINCT user_id
FROM memory.vector_blocks
WHERE user_id > %(after)s AND model <> ALL (%(kept)s)
ORDER BY user_id
LIMIT %(limit)s
