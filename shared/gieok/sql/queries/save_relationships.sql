-- Relationship versions that a window left, if its memory was written.
INSERT INTO memory.relationship_versions (id, user_id, character_id, version, body, memory_id)
SELECT s.id, %(user_id)s, s.character_id, s.version, decode(s.body, 'hex'), m.id
FROM memory.memories m,
     jsonb_to_recordset(%(states)s) AS s(id uuid, character_id uuid, version integer, body text)
WHERE m.id = %(memory_id)s AND m.user_id = %(user_id)s
ON CONFLICT (user_id, character_id, version) DO NOTHING
