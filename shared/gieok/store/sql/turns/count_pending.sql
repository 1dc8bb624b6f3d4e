-- User messages of a session's scope, over all its sessions, that no window took yet.
-- Kept: user_id text, session_id uuid -> pending bigint
SELECT count(*) AS pending
FROM chat.sessions s
CROSS JOIN LATERAL (
    SELECT coalesce(max(greatest(p.covered_through, p.skipped_through)), 0) AS done_through
    FROM memory.pairs p
    WHERE p.user_id = s.user_id AND p.character_ids = s.character_ids) AS cursor_of
CROSS JOIN LATERAL (
    SELECT id, user_id, character_ids, position
    FROM chat.turns
    WHERE user_id = %(user_id)s AND character_ids = s.character_ids
      AND position > cursor_of.done_through AND NOT closed
    OFFSET 0) AS t  -- of the scope only; joined, all turns of the user might be read
WHERE s.id = %(session_id)s AND s.user_id = %(user_id)s
  AND NOT EXISTS (SELECT FROM memory.holding(t.user_id, t.character_ids, t.position))
  AND EXISTS (SELECT FROM chat.messages m
              WHERE m.user_id = t.user_id AND m.turn_id = t.id AND m.role = 'user')
