-- Every memory that may be recalled, with what each leg says of it; exact, inside the scope only.
WITH scope AS MATERIALIZED (
    SELECT mc.memory_id AS id, min(p.next_seq - 1 - mc.seq) AS distance
    FROM memory.memory_characters mc
    JOIN memory.pairs p
        ON p.user_id = mc.user_id AND p.character_ids = ARRAY[mc.character_id]
    WHERE mc.user_id = %(user_id)s AND mc.character_id = ANY (%(character_ids)s)
    GROUP BY mc.memory_id
), near AS (
    SELECT m.id, 1 - (m.embedding <=> %(vector)s::halfvec) AS similarity
    FROM scope
    JOIN memory.memories m USING (id)
    WHERE m.user_id = %(user_id)s AND m.embedding_model = %(embedding_model)s
      AND m.muted_at IS NULL AND m.invalidated_at IS NULL
    ORDER BY m.embedding <=> %(vector)s::halfvec, m.id
    LIMIT CASE WHEN %(vector)s::halfvec IS NULL THEN 0 ELSE %(overfetch)s END
), worded AS (
    -- 1: divided by 1 + log(length), so that a long memory does not win by its length.
    SELECT m.id, ts_rank(m.keywords, %(keywords)s::tsquery, 1) AS rank
    FROM memory.memories m
    JOIN scope USING (id)
    WHERE m.user_id = %(user_id)s AND m.keywords @@ %(keywords)s::tsquery
      AND m.muted_at IS NULL AND m.invalidated_at IS NULL
    ORDER BY rank DESC, scope.distance, m.id
    LIMIT %(overfetch)s
), important AS (
    SELECT m.id
    FROM scope
    JOIN memory.memories m USING (id)
    WHERE m.user_id = %(user_id)s AND m.importance >= %(important_from)s
      AND m.muted_at IS NULL AND m.invalidated_at IS NULL
      AND m.id NOT IN (SELECT id FROM near UNION ALL SELECT id FROM worded)
    ORDER BY m.importance DESC, scope.distance, m.id
    LIMIT %(reserved)s
), newest AS (
    SELECT m.id
    FROM scope
    JOIN memory.memories m USING (id)
    WHERE m.user_id = %(user_id)s AND %(vector)s::halfvec IS NULL
      AND m.muted_at IS NULL AND m.invalidated_at IS NULL
    ORDER BY scope.distance, m.id
    LIMIT %(limit)s
)
SELECT m.id, m.character_ids, m.summary, m.details, m.importance, m.happened_at, m.created_at,
       m.pinned_at IS NOT NULL AS pinned, m.muted_at IS NOT NULL AS muted,
       scope.distance, near.similarity, worded.rank AS keyword_rank,
       newest.id IS NOT NULL AS newest,
       (SELECT array_agg(c.name ORDER BY array_position(m.character_ids, c.id))
        FROM chat.characters c WHERE c.id = ANY (m.character_ids)) AS involved
FROM memory.memories m
JOIN scope USING (id)
LEFT JOIN near USING (id)
LEFT JOIN worded USING (id)
LEFT JOIN newest USING (id)
WHERE m.id IN (SELECT id FROM near UNION ALL SELECT id FROM worded
               UNION ALL SELECT id FROM important UNION ALL SELECT id FROM newest)
