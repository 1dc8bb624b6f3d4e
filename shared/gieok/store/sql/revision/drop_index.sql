-- A pair's whole index at once: its memories go in the same transaction, and need not be taken out
-- of it one by one.
WITH recent AS (
    DELETE FROM memory.recent_postings
    WHERE user_id = %(user_id)s AND character_id = %(character_id)s
), folded AS (
    DELETE FROM memory.postings WHERE user_id = %(user_id)s AND character_id = %(character_id)s
), vectors AS (
    DELETE FROM memory.vector_blocks
    WHERE user_id = %(user_id)s AND character_id = %(character_id)s
)
SELECT set_config('gieok.index_dropped', 'on', true)
