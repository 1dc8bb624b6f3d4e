-- One memory of a user, with where it came from and which version of it stands.
SELECT m.id, m.character_ids, m.summary, m.details, m.importance, m.began_at, m.happened_at, m.created_at,
       m.pinned_at IS NOT NULL AS pinned, m.muted_at IS NOT NULL AS muted,
       m.version, m.edited_at, m.weighed_at IS NOT NULL AS weighed, m.session_ids, m.extractor, m.prompt_version,
       (SELECT array_agg(c.name ORDER BY array_position(m.character_ids, c.id))
        FROM chat.characters c WHERE c.id = ANY (m.character_ids)) AS involved
FROM memory.memories m
WHERE m.id = %(memory_id)s AND m.user_id = %(user_id)s AND m.invalidated_at IS NULL
  -- One without a place in any relationship is being removed.
  AND EXISTS (SELECT FROM memory.memory_characters mc
              WHERE mc.user_id = m.user_id AND mc.memory_id = m.id)
