-- The characters of a session, in the order of its cast.
-- Kept: user_id text, session_id uuid -> id uuid, name text, persona text, greeting text,
--   speech_rules text, fallback_line text, locale text
SELECT c.id, c.name, c.persona, c.greeting, c.speech_rules, c.fallback_line, c.locale
FROM chat.sessions s
JOIN chat.characters c ON c.id = ANY (s.character_ids)
WHERE s.id = %(session_id)s AND s.user_id = %(user_id)s
ORDER BY array_position(s.character_ids, c.id)
