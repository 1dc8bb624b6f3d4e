-- Relationship states that a window left, if its memory was written.
INSERT INTO memory.relationship_states (user_id, character_id, version, body)
SELECT %(user_id)s, s.character_id, s.version, decode(s.body, 'hex')
FROM jsonb_to_recordset(%(states)s) AS s(character_id uuid, version integer, body text)
WHERE EXISTS (
    SELECT FROM memory.memories WHERE id = %(memory_id)s AND user_id = %(user_id)s)
ON CONFLICT (user_id, character_id) DO UPDATE
    SET version = excluded.version, body = excluded.body, updated_at = now()
    WHERE memory.relationship_states.version < excluded.version
