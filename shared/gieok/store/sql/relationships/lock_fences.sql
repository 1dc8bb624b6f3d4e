-- Hold the fences of every cast that knows any of these characters, in one order for all: who changes
-- a relationship waits here for the others. Casts before their single characters.
-- Kept: user_id text, character_ids uuid[] -> character_ids uuid[]
SELECT character_ids
FROM memory.pairs
WHERE user_id = %(user_id)s AND character_ids && %(character_ids)s
ORDER BY cardinality(character_ids) DESC, character_ids
FOR UPDATE
