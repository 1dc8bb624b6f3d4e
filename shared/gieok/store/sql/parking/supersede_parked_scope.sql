-- An extraction in flight for a parked window's cast is superseded, and the next one waits.
UPDATE memory.pairs p
SET version = p.version + 1
FROM ops.parked_windows w
WHERE w.id = %(parked_id)s AND p.user_id = w.user_id AND p.character_ids = w.character_ids
