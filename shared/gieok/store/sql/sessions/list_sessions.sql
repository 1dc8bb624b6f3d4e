-- A user's conversations, newest first, a page from a cursor.
SELECT id, character_ids, status, message_count, prompt_tokens, completion_tokens, total_tokens,
       created_at, last_active_at, expires_at
FROM chat.sessions
WHERE user_id = %(user_id)s
  AND (%(before)s::uuid IS NULL OR id < %(before)s)
  AND (%(character_id)s::uuid IS NULL OR %(character_id)s = ANY (character_ids))
ORDER BY id DESC
LIMIT %(limit)s
