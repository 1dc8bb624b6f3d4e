-- A character's memories lose their place at once, and with it all ways that lead to them; the index is
-- dropped whole right after, and not row by row. Whoever writes to it locks the places first.
WITH whole AS (
    SELECT set_config('gieok.index_dropped', 'on', true)
)
DELETE FROM memory.memory_characters
WHERE user_id = %(user_id)s AND character_id = %(character_id)s AND (SELECT true FROM whole)
