-- The fence rows of a scope and of each of its characters.
-- Kept: user_id text, character_ids uuid[]
INSERT INTO memory.pairs (user_id, character_ids)
SELECT %(user_id)s, cast_ids
FROM (
    SELECT %(character_ids)s AS cast_ids
    UNION
    SELECT ARRAY[c] FROM unnest(%(character_ids)s) AS c
) AS wanted
ON CONFLICT (user_id, character_ids) DO NOTHING
