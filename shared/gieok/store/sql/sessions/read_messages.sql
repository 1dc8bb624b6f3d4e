-- The raw messages of a session that are still kept, newest first, a page from a cursor. They stand
-- where their turns stand: an answer that was made again is younger than what follows it.
WITH edge AS (
    SELECT t.position, m.role = 'assistant' AS answers
    FROM chat.messages m
    JOIN chat.turns t ON t.user_id = m.user_id AND t.id = m.turn_id
    WHERE m.id = %(before)s AND m.user_id = %(user_id)s
)
SELECT m.id, m.role, m.character_id, c.name AS speaker, m.body, m.created_at, m.edited_at, m.model,
       m.finish_reason, m.fallback_used, m.prompt_tokens, m.completion_tokens, m.total_tokens,
       t.number, t.client_message_id
FROM chat.turns t
JOIN chat.messages m ON m.user_id = t.user_id AND m.turn_id = t.id
LEFT JOIN chat.characters c ON c.id = m.character_id
WHERE t.user_id = %(user_id)s AND t.session_id = %(session_id)s
  AND (%(message_id)s::uuid IS NULL OR m.id = %(message_id)s)
  AND (%(before)s::uuid IS NULL
       OR (t.position, m.role = 'assistant') < (SELECT position, answers FROM edge)
       -- A cursor that was taken back meanwhile: ids are older the smaller they are.
       OR (NOT EXISTS (SELECT FROM edge) AND m.id < %(before)s))
ORDER BY t.position DESC, m.role = 'assistant' DESC
LIMIT %(limit)s
