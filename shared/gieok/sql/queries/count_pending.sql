-- User messages of a session's scope, over all its sessions, since the later of covered and skipped.
SELECT count(*) AS pending
FROM chat.sessions s
JOIN chat.turns t ON t.user_id = s.user_id AND t.character_ids = s.character_ids
LEFT JOIN memory.pairs p ON p.user_id = s.user_id AND p.character_ids = s.character_ids
WHERE s.id = %(session_id)s AND s.user_id = %(user_id)s
  AND t.position > coalesce(greatest(p.covered_through, p.skipped_through), 0)
  AND EXISTS (SELECT FROM chat.messages m WHERE m.turn_id = t.id AND m.role = 'user')
