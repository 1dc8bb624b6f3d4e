-- One conversation of a user.
SELECT id, character_ids, status, message_count, prompt_tokens, completion_tokens, total_tokens,
       created_at, last_active_at, expires_at
FROM chat.sessions
WHERE id = %(session_id)s AND user_id = %(user_id)s
