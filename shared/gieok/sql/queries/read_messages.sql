-- The raw messages of a session that are still kept, newest first, a page from a cursor.
SELECT m.id, m.role, m.character_id, c.name AS speaker, m.body, m.created_at, m.edited_at, m.model,
       m.finish_reason, m.fallback_used, m.prompt_tokens, m.completion_tokens, m.total_tokens,
       t.number, t.client_message_id
FROM chat.turns t
JOIN chat.messages m ON m.turn_id = t.id
LEFT JOIN chat.characters c ON c.id = m.character_id
WHERE t.user_id = %(user_id)s AND t.session_id = %(session_id)s
  AND (%(before)s::uuid IS NULL OR m.id < %(before)s)
  AND (%(message_id)s::uuid IS NULL OR m.id = %(message_id)s)
ORDER BY m.id DESC
LIMIT %(limit)s
