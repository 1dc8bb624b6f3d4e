-- A pair's whole index at once, words and vectors, after its places are gone.
WITH recent AS (
    DELETE FROM memory.recent_postings
    WHERE user_id = %(user_id)s AND character_id = %(character_id)s
), folded AS (
    DELETE FROM memory.postings WHERE user_id = %(user_id)s AND character_id = %(character_id)s
)
DELETE FROM memory.vector_blocks WHERE user_id = %(user_id)s AND character_id = %(character_id)s
