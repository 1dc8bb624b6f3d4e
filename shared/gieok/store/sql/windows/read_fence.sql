-- The fence of a scope: its version, how often the window after its cursor failed or whether it was
-- refused, and whether any memory of the cast waits for a vector.
-- Kept: user_id text, character_ids uuid[] -> version bigint, failures integer, retry_at
--   timestamptz, refused bigint, vectors_missing boolean
SELECT version, failures, retry_at, refused,
       EXISTS (
           SELECT FROM memory.memory_characters
           WHERE user_id = %(user_id)s AND character_id = ANY (%(character_ids)s)
             AND live AND NOT embedded) AS vectors_missing
FROM memory.pairs
WHERE user_id = %(user_id)s AND character_ids = %(character_ids)s
