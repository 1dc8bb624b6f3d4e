-- Scopes that were sent a hint now.
INSERT INTO ops.hints (user_id, character_ids, hinted_at)
SELECT s.user_id, s.character_ids, now()
FROM jsonb_to_recordset(%(scopes)s) AS s (user_id text, character_ids uuid[])
ORDER BY s.user_id, s.character_ids
ON CONFLICT (user_id, character_ids) DO UPDATE SET hinted_at = excluded.hinted_at
