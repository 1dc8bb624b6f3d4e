-- Vectors of a user by models that are not kept, some blocks at once.
DELETE FROM memory.vector_blocks
WHERE (user_id, character_id, model, block) IN (
    SELECT user_id, character_id, model, block
    FROM memory.vector_blocks
    WHERE user_id = %(user_id)s AND model <> ALL (%(kept)s)
    LIMIT %(limit)s)
RETURNING bit_count(held::bit(64)) AS vectors
