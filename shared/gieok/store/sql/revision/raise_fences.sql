-- Extractions in flight that know any of the cast are superseded, and new ones wait: nothing, while
-- the session answers a message. Casts before their single characters, as saving a memory locks them.
INSERT INTO memory.pairs AS p (user_id, character_ids, version)
SELECT %(user_id)s, affected.cast_ids, 1
FROM (
    SELECT %(character_ids)s::uuid[] AS cast_ids
    UNION
    SELECT ARRAY[c] FROM unnest(%(character_ids)s::uuid[]) AS c
    UNION
    SELECT o.character_ids FROM memory.pairs o
    WHERE o.user_id = %(user_id)s AND o.character_ids && %(character_ids)s::uuid[]
) AS affected
WHERE NOT chat.answering(%(user_id)s, %(session_id)s, %(own)s)
ORDER BY cardinality(affected.cast_ids) DESC, affected.cast_ids
ON CONFLICT (user_id, character_ids) DO UPDATE SET version = p.version + 1
