-- The index of a memory's new text in place of the old one's: digests, and vectors where there are
-- any. A ciphertext never repeats, so that equality says that the text is still the one indexed.
WITH places AS MATERIALIZED (
    SELECT mc.user_id, mc.character_id, mc.seq
    FROM memory.memories m
    JOIN memory.memory_characters mc ON mc.memory_id = m.id AND mc.user_id = m.user_id
    WHERE m.id = %(memory_id)s AND m.user_id = %(user_id)s AND m.summary = %(summary)s
), flagged AS (
    UPDATE memory.memory_characters mc
    SET embedded = coalesce(
            (SELECT memory.embedding_model()) = ANY (%(models)s::text[]), false),
        refused_by = NULL
    FROM places p
    WHERE mc.user_id = p.user_id AND mc.character_id = p.character_id AND mc.seq = p.seq
), worded AS (
    SELECT memory.put_postings(user_id, character_id, seq, %(digests)s::integer[],
                               %(impacts)s::smallint[]),
           memory.drop_vectors(user_id, character_id, seq, kept => %(models)s::text[])
    FROM places
), embedded AS (
    SELECT memory.put_vector(user_id, character_id, seq, v.model, v.embedding::halfvec)
    FROM places, unnest(%(models)s::text[], %(vectors)s::text[]) AS v (model, embedding)
)
SELECT (SELECT count(*) FROM worded), (SELECT count(*) FROM embedded)
