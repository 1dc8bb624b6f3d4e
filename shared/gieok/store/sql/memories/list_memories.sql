-- A user's memories of one character or one session, newest first, a page from a cursor.
SELECT m.id, m.character_ids, m.summary, m.details, m.importance, m.began_at, m.happened_at, m.created_at,
       m.pinned_at IS NOT NULL AS pinned, m.muted_at IS NOT NULL AS muted,
       (SELECT array_agg(c.name ORDER BY array_position(m.character_ids, c.id))
        FROM chat.characters c WHERE c.id = ANY (m.character_ids)) AS involved
FROM memory.memories m
WHERE m.user_id = %(user_id)s AND m.invalidated_at IS NULL
  AND (%(before)s::uuid IS NULL OR m.id < %(before)s)
  AND (%(session_id)s::uuid IS NULL OR %(session_id)s = ANY (m.session_ids))
  -- One without a place in any relationship is being removed.
  AND EXISTS (
      SELECT FROM memory.memory_characters mc
      WHERE mc.memory_id = m.id AND mc.user_id = %(user_id)s
        AND (%(character_id)s::uuid IS NULL OR mc.character_id = %(character_id)s))
ORDER BY m.id DESC
LIMIT %(limit)s
