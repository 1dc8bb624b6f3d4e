-- The worker is about to hint itself for a moment, unless it did already for one that comes before.
UPDATE memory.pairs
SET look_again_at = %(at)s
WHERE user_id = %(user_id)s AND character_ids = %(character_ids)s
  AND coalesce(look_again_at <= %(now)s OR look_again_at > %(at)s, true)
RETURNING version
