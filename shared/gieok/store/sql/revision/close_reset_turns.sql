-- Turns that every character of their cast was made to forget: they become no memory any more.
UPDATE chat.turns t
SET closed = true
WHERE t.user_id = %(user_id)s AND %(character_id)s = ANY (t.character_ids) AND NOT t.closed
  AND NOT EXISTS (
      SELECT FROM unnest(t.character_ids) AS c
      LEFT JOIN memory.pairs p ON p.user_id = t.user_id AND p.character_ids = ARRAY[c]
      WHERE t.position > coalesce(p.reset_through, 0))
