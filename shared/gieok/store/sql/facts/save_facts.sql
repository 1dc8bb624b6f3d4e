-- Facts of a window whose memory was written; one that a character knows already is left as it is.
-- Kept: user_id text, memory_id uuid, facts jsonb
INSERT INTO memory.facts
    (id, user_id, character_id, memory_id, message_id, category, subject, reality, confidence,
     content, fingerprint)
SELECT f.id, %(user_id)s, f.character_id, m.id, f.message_id, f.category, f.subject, f.reality,
       f.confidence, decode(f.content, 'hex'), decode(f.fingerprint, 'hex')
FROM memory.memories m,
     jsonb_to_recordset(%(facts)s) AS f(
         id uuid, character_id uuid, message_id uuid, category text, subject text, reality text,
         confidence real, content text, fingerprint text)
WHERE m.id = %(memory_id)s AND m.user_id = %(user_id)s
  AND EXISTS (SELECT FROM memory.memory_characters mc
              WHERE mc.user_id = m.user_id AND mc.memory_id = m.id
                AND mc.character_id = f.character_id)
ON CONFLICT DO NOTHING
