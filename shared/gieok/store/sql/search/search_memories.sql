-- A user's memories for words of theirs, muted ones too: what each leg says, without decay.
WITH mine AS MATERIALIZED (
    SELECT mc.character_id, mc.seq, mc.memory_id
    FROM memory.memory_characters mc
    JOIN memory.memories m ON m.id = mc.memory_id AND m.user_id = mc.user_id
    WHERE mc.user_id = %(user_id)s AND m.invalidated_at IS NULL
      AND (%(character_id)s::uuid IS NULL OR mc.character_id = %(character_id)s)
      AND (%(session_id)s::uuid IS NULL OR %(session_id)s = ANY (m.session_ids))
), near AS (
    SELECT mine.memory_id,
           max(1 - (v.embeddings[mine.seq %% memory.vectors_a_block() + 1]
                    <=> %(vector)s::halfvec)) AS similarity
    FROM mine
    JOIN memory.vector_blocks v
        ON v.user_id = %(user_id)s AND v.character_id = mine.character_id
        AND v.model = %(embedding_model)s AND v.block = mine.seq / memory.vectors_a_block()
        AND memory.holds(v.held, mine.seq)
    WHERE %(vector)s::halfvec IS NOT NULL
    GROUP BY mine.memory_id
    ORDER BY similarity DESC
    LIMIT %(limit)s
), asked AS MATERIALIZED (
    SELECT digest, weight
    FROM unnest(%(digests)s::integer[], %(weights)s::float8[]) AS a (digest, weight)
), held AS MATERIALIZED (
    SELECT r.character_id, r.seq, asked.digest, asked.weight, entry & 15 AS impact
    FROM asked
    JOIN memory.recent_postings r ON r.user_id = %(user_id)s
    CROSS JOIN unnest(memory.entries_between(
        r.entries, asked.digest << 4, (asked.digest << 4) + 15)) AS entry
    UNION ALL
    SELECT p.character_id, (p.block << 8) + ((entry >> 4) & 255), asked.digest, asked.weight,
           entry & 15
    FROM asked
    JOIN memory.postings p ON p.user_id = %(user_id)s AND p.part = asked.digest >> 18
    CROSS JOIN unnest(memory.entries_between(
        p.entries, (asked.digest & 262143) << 12,
        ((asked.digest & 262143) << 12) + 4095)) AS entry
), rare AS (
    -- Among all that the user has, so that a narrow search knows which words are common.
    SELECT digest, ln((1 + (SELECT count(*) FROM memory.memory_characters
                            WHERE user_id = %(user_id)s)) / (0.5 + count(*))) AS idf
    FROM held
    GROUP BY digest
), places AS (
    SELECT character_id, seq, sum(weight * impact * idf) AS keyword_score
    FROM held
    JOIN rare USING (digest)
    GROUP BY character_id, seq
), worded AS (
    SELECT mine.memory_id, max(places.keyword_score) AS keyword_score
    FROM places
    JOIN mine USING (character_id, seq)
    GROUP BY mine.memory_id
    ORDER BY keyword_score DESC
    LIMIT %(limit)s
)
SELECT m.id, m.character_ids, m.summary, m.details, m.importance, m.began_at, m.happened_at, m.created_at,
       m.pinned_at IS NOT NULL AS pinned, m.muted_at IS NOT NULL AS muted,
       found.similarity, found.keyword_score,
       (SELECT array_agg(c.name ORDER BY array_position(m.character_ids, c.id))
        FROM chat.characters c WHERE c.id = ANY (m.character_ids)) AS involved
FROM near
FULL JOIN worded USING (memory_id)
CROSS JOIN LATERAL (SELECT memory_id, similarity, keyword_score) AS found
JOIN memory.memories m ON m.id = found.memory_id AND m.user_id = %(user_id)s
