-- Where a user stands with each character of a session: the newest version that stands.
-- Kept: user_id text, session_id uuid -> id uuid, character_id uuid, version integer, body bytea
SELECT DISTINCT ON (r.character_id) r.id, r.character_id, r.version, r.body
FROM chat.sessions s
JOIN memory.relationship_versions r
    ON r.user_id = s.user_id AND r.character_id = ANY (s.character_ids)
WHERE s.id = %(session_id)s AND s.user_id = %(user_id)s AND r.invalidated_at IS NULL
ORDER BY r.character_id, r.version DESC
