-- Where a user stands with each character of a session.
SELECT r.character_id, r.version, r.body
FROM chat.sessions s
JOIN memory.relationship_states r
    ON r.user_id = s.user_id AND r.character_id = ANY (s.character_ids)
WHERE s.id = %(session_id)s AND s.user_id = %(user_id)s
