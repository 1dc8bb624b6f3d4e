-- The index of a memory's new text in place of the old one's: digests, and vectors where there are
-- any. A ciphertext never repeats, so that equality says that the text is still the one indexed.
WITH places AS (
    SELECT mc.user_id, mc.character_id, mc.seq, mc.memory_id, mc.live
    FROM memory.memories m
    JOIN memory.memory_characters mc ON mc.memory_id = m.id AND mc.user_id = m.user_id
    WHERE m.id = %(memory_id)s AND m.user_id = %(user_id)s AND m.summary = %(summary)s
), forgotten AS (
    DELETE FROM memory.vectors v
    USING places p
    WHERE v.user_id = p.user_id AND v.character_id = p.character_id AND v.seq = p.seq
      AND v.model <> ALL (%(models)s::text[])
), worded AS (
    UPDATE memory.memory_characters mc
    SET digests = %(digests)s::bigint[], impacts = %(impacts)s::smallint[],
        embedded = coalesce(
            (SELECT memory.embedding_model()) = ANY (%(models)s::text[]), false),
        refused_by = NULL
    FROM places p
    WHERE mc.user_id = p.user_id AND mc.character_id = p.character_id AND mc.seq = p.seq
)
INSERT INTO memory.vectors (user_id, character_id, seq, model, memory_id, live, embedding)
SELECT p.user_id, p.character_id, p.seq, v.model, p.memory_id, p.live, v.embedding::halfvec
FROM places p, unnest(%(models)s::text[], %(vectors)s::text[]) AS v (model, embedding)
ON CONFLICT (user_id, character_id, seq, model) DO UPDATE SET embedding = excluded.embedding
