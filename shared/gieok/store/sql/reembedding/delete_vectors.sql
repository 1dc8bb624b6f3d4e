-- Vectors of a user by models that are not kept, some at once.
DELETE FROM memory.vectors
WHERE (user_id, character_id, seq, model) IN (
    SELECT user_id, character_id, seq, model
    FROM memory.vectors
    WHERE user_id = %(user_id)s AND model <> ALL (%(kept)s)
    LIMIT %(limit)s)
RETURNING seq
