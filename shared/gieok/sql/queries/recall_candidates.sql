-- Every memory that may be recalled, with what each leg says of it; exact, inside the scope only.
WITH places AS MATERIALIZED (
    SELECT character_ids[1] AS character_id, next_seq - 1 AS newest
    FROM memory.pairs
    WHERE user_id = %(user_id)s
      AND character_ids IN (SELECT ARRAY[c] FROM unnest(%(character_ids)s) AS c)
), near AS MATERIALIZED (
    SELECT character_id, seq, 1 - (embedding <=> %(vector)s::halfvec) AS similarity
    FROM memory.vectors
    WHERE user_id = %(user_id)s AND character_id = ANY (%(character_ids)s)
      AND model = %(embedding_model)s AND live
    ORDER BY embedding <=> %(vector)s::halfvec, seq DESC
    LIMIT CASE WHEN %(vector)s::halfvec IS NULL THEN 0
               ELSE %(overfetch)s * cardinality(%(character_ids)s) END
), asked AS (
    SELECT p.character_id, p.entries,
           asked.weight * ln(1 + (places.newest - df.n + 0.5) / (df.n + 0.5)) AS weight
    FROM unnest(%(digests)s::bigint[], %(weights)s::float8[]) AS asked (digest, weight)
    CROSS JOIN places
    JOIN memory.postings p
        ON p.user_id = %(user_id)s AND p.character_id = places.character_id
        AND p.digest = asked.digest
    CROSS JOIN LATERAL (
        SELECT least(sum(cardinality(d.entries)), places.newest) AS n
        FROM memory.postings d
        WHERE d.user_id = %(user_id)s AND d.character_id = places.character_id
          AND d.digest = asked.digest) AS df
), worded AS MATERIALIZED (
    SELECT asked.character_id, entry >> 8 AS seq, sum(asked.weight * (entry & 255)) AS rank
    FROM asked, unnest(asked.entries) AS entry
    GROUP BY asked.character_id, entry >> 8
    ORDER BY rank DESC, seq DESC
    LIMIT %(overfetch)s * cardinality(%(character_ids)s)
), important AS (
    SELECT character_id, seq
    FROM memory.memory_characters mc
    WHERE user_id = %(user_id)s AND character_id = ANY (%(character_ids)s) AND live
      AND importance >= %(important_from)s
      AND (character_id, seq) NOT IN (
          SELECT character_id, seq FROM near UNION ALL SELECT character_id, seq FROM worded)
    ORDER BY importance DESC, seq DESC
    LIMIT %(reserved)s
), newest AS (
    SELECT character_id, seq
    FROM memory.memory_characters
    WHERE user_id = %(user_id)s AND character_id = ANY (%(character_ids)s) AND live
      AND %(vector)s::halfvec IS NULL
    ORDER BY seq DESC
    LIMIT %(limit)s
), found AS (
    SELECT mc.memory_id, min(places.newest - leg.seq) AS distance,
           max(leg.similarity) AS similarity, max(leg.rank) AS keyword_rank,
           bool_or(leg.newest) AS newest
    FROM (
        SELECT character_id, seq, similarity, NULL::float8 AS rank, false AS newest FROM near
        UNION ALL SELECT character_id, seq, NULL, rank, false FROM worded
        UNION ALL SELECT character_id, seq, NULL, NULL, false FROM important
        UNION ALL SELECT character_id, seq, NULL, NULL, true FROM newest
    ) AS leg
    JOIN places USING (character_id)
    JOIN memory.memory_characters mc
        ON mc.user_id = %(user_id)s AND mc.character_id = leg.character_id AND mc.seq = leg.seq
    GROUP BY mc.memory_id
)
SELECT m.id, m.character_ids, m.summary, m.details, m.importance, m.happened_at, m.created_at,
       m.pinned_at IS NOT NULL AS pinned, m.muted_at IS NOT NULL AS muted,
       found.distance, found.similarity, found.keyword_rank, found.newest,
       (SELECT array_agg(c.name ORDER BY array_position(m.character_ids, c.id))
        FROM chat.characters c WHERE c.id = ANY (m.character_ids)) AS involved
FROM found
JOIN memory.memories m ON m.id = found.memory_id AND m.user_id = %(user_id)s
