-- The hint that was noted is not on its way.
UPDATE memory.pairs
SET look_again_at = NULL
WHERE user_id = %(user_id)s AND character_ids = %(character_ids)s AND look_again_at = %(at)s
