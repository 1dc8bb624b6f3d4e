-- A pair's whole keyword index at once: its memories go in the same transaction, and need not be
-- taken out of it one by one.
WITH dropped AS (
    DELETE FROM memory.postings WHERE user_id = %(user_id)s AND character_id = %(character_id)s
)
SELECT set_config('gieok.postings_dropped', 'on', true)
