-- Relationship versions that a window left, if its memory was written. The pairs are locked. Windows
-- of other casts that are being extracted know an older state: their fences move.
-- Kept: user_id text, character_ids uuid[], memory_id uuid, versions jsonb
WITH written AS (
    INSERT INTO memory.relationship_versions (id, user_id, character_id, version, body, memory_id)
    SELECT s.id, %(user_id)s, s.character_id,
           1 + coalesce((SELECT max(r.version) FROM memory.relationship_versions r
                         WHERE r.user_id = %(user_id)s AND r.character_id = s.character_id), 0),
           decode(s.body, 'hex'), m.id
    FROM memory.memories m,
         jsonb_to_recordset(%(versions)s) AS s(id uuid, character_id uuid, body text)
    WHERE m.id = %(memory_id)s AND m.user_id = %(user_id)s
      AND EXISTS (SELECT FROM memory.memory_characters mc
                  WHERE mc.user_id = m.user_id AND mc.memory_id = m.id
                    AND mc.character_id = s.character_id)
      AND NOT EXISTS (SELECT FROM memory.relationship_versions r
                      WHERE r.user_id = m.user_id AND r.memory_id = m.id
                        AND r.character_id = s.character_id)
    RETURNING character_id
)
UPDATE memory.pairs p
SET version = p.version + 1
WHERE p.user_id = %(user_id)s AND p.character_ids <> %(character_ids)s
  AND p.character_ids && (SELECT array_agg(character_id) FROM written)
