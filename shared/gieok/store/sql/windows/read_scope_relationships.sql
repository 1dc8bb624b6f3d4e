-- Where a user stands with each character of a cast: the newest version that stands.
-- Kept: user_id text, character_ids uuid[] -> id uuid, character_id uuid, version integer, body
--   bytea
SELECT DISTINCT ON (character_id) id, character_id, version, body
FROM memory.relationship_versions
WHERE user_id = %(user_id)s AND character_id = ANY (%(character_ids)s) AND invalidated_at IS NULL
ORDER BY character_id, version DESC
