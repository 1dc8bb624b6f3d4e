-- What a question brings back, best first, and why; exact, inside the scope only.
--
-- Two legs: cosine over the vectors, BM25 over the postings. By "scores" each leg is spread over 0
-- to 1 among its own candidates, weighed and added, and the sum decays with age; by "ranks" each leg
-- decays first and is fused by reciprocal rank. Then a memory gains a part of what its neighbours in
-- the same conversation have, and important memories that hold no sure place take reserved ones.
--
-- What is looked up row by row stands behind "OFFSET 0": a user and their characters come together,
-- so that the planner takes all of a pair for one row, and would read all to find one of them.
-- Kept: user_id text, character_ids uuid[], vector halfvec, embedding_model text, digests
--   integer[], weights float8[], budget integer, overfetch integer, fusion text, keyword_share
--   float8, rrf_k float8, context float8[], half_life float8, decay_floor float8, important_from
--   integer, reserved integer, limit integer, spare integer -> id uuid, character_ids uuid[],
--   summary bytea, details bytea, importance smallint, began_at timestamptz, happened_at
--   timestamptz, created_at timestamptz, pinned boolean, muted boolean, involved text[], slot text,
--   score float8, decay float8, context float8, similarity float8, vector_rank integer, keyword_rank
--   integer
WITH places AS MATERIALIZED (
    SELECT c.character_id, c.place::integer AS place, p.next_seq - 1 AS newest
    FROM unnest(%(character_ids)s) WITH ORDINALITY AS c (character_id, place)
    JOIN memory.pairs p ON p.user_id = %(user_id)s AND p.character_ids = ARRAY[c.character_id]
), resting AS MATERIALIZED (
    -- Muted memories are in the index and not in the mind.
    SELECT places.place, mc.seq
    FROM places
    CROSS JOIN LATERAL (
        SELECT seq
        FROM memory.memory_characters
        WHERE user_id = %(user_id)s AND character_id = places.character_id AND NOT live
        OFFSET 0
    ) AS mc
), blocks AS MATERIALIZED (
    -- The nearest vectors lie in the blocks whose own nearest are the nearest.
    SELECT character_id, block
    FROM memory.vector_blocks
    WHERE user_id = %(user_id)s AND character_id = ANY (%(character_ids)s)
      AND model = %(embedding_model)s
    ORDER BY memory.nearest(embeddings, %(vector)s)
    LIMIT CASE WHEN %(vector)s IS NULL THEN 0
               ELSE %(overfetch)s * cardinality(%(character_ids)s)
                    + (SELECT count(*) FROM resting) END
), near AS MATERIALIZED (
    SELECT place, seq, 1 - apart AS similarity
    FROM (
        SELECT places.place, block * memory.vectors_a_block() + slot - 1 AS seq,
               embedding <=> %(vector)s AS apart
        FROM (
            SELECT character_id, block, generate_subscripts(embeddings, 1) AS slot,
                   unnest(embeddings) AS embedding
            FROM blocks
            CROSS JOIN LATERAL (
                SELECT embeddings
                FROM memory.vector_blocks v
                WHERE v.user_id = %(user_id)s AND v.character_id = blocks.character_id
                  AND v.model = %(embedding_model)s AND v.block = blocks.block
                OFFSET 0
            ) AS opened
        ) AS packed
        JOIN places USING (character_id)
        WHERE embedding IS NOT NULL
    ) AS v
    WHERE (place, seq) NOT IN (SELECT place, seq FROM resting)
    ORDER BY apart
    LIMIT %(overfetch)s * cardinality(%(character_ids)s)
), looked_up AS (
    -- Of a recent memory one entry, as if its seq were the first of a block.
    SELECT places.place, places.newest, term.digest, term.counts_for, r.seq AS first,
           ARRAY[(memory.entries_between(
               r.entries, term.digest << 4, (term.digest << 4) + 15))[1] & 15] AS entries
    FROM places
    CROSS JOIN LATERAL (
        SELECT seq, entries
        FROM memory.recent_postings
        WHERE user_id = %(user_id)s AND character_id = places.character_id
        OFFSET 0
    ) AS r
    CROSS JOIN unnest(%(digests)s, %(weights)s) AS term (digest, counts_for)
    UNION ALL
    SELECT places.place, places.newest, term.digest, term.counts_for, p.block << 8,
           memory.entries_between(p.entries, (term.digest & 262143) << 12,
                                  ((term.digest & 262143) << 12) + 4095)
    FROM unnest(%(digests)s, %(weights)s) AS term (digest, counts_for)
    CROSS JOIN places
    CROSS JOIN LATERAL (
        SELECT block, entries
        FROM memory.postings
        WHERE user_id = %(user_id)s AND character_id = places.character_id
          AND part = (term.digest >> 18)::smallint
        OFFSET 0
    ) AS p
), held AS (
    SELECT *, sum(cardinality(entries)) OVER (PARTITION BY place, digest) AS holders
    FROM looked_up
    WHERE entries[1] IS NOT NULL
), weighed AS MATERIALIZED (
    -- The rarest digests first, and no more than can be read in time; the rarest in any case.
    SELECT place, first, entries,
           (1000 * counts_for
            * ln((newest + 1) / (least(holders, newest) + 0.5)::float8))::integer AS weight
    FROM (
        SELECT *,
               sum(cardinality(entries)) OVER (PARTITION BY place ORDER BY holders, digest) AS upto
        FROM held
    ) AS rarest
    WHERE upto <= %(budget)s OR upto = holders
), worded AS MATERIALIZED (
    SELECT place, seq, sum(weight * impact)::float8 AS words
    FROM (SELECT place, weight, first + ((entry >> 4) & 255) AS seq, entry & 15 AS impact
          FROM (SELECT place, weight, first, unnest(entries) AS entry FROM weighed) AS opened
         ) AS posted
    WHERE (place, seq) NOT IN (SELECT place, seq FROM resting)
    GROUP BY place, seq
    ORDER BY words DESC, seq DESC
    LIMIT %(overfetch)s * cardinality(%(character_ids)s)
), legs AS MATERIALIZED (
    SELECT place, seq, max(similarity) AS similarity, max(words) AS words
    FROM (
        SELECT place, seq, similarity, NULL::float8 AS words FROM near
        UNION ALL SELECT place, seq, NULL, words FROM worded
    ) AS either
    GROUP BY place, seq
), found AS MATERIALIZED (
    SELECT legs.place, places.character_id, legs.seq, mc.memory_id, mc.sitting, legs.similarity,
           legs.words,
           CASE WHEN mc.pinned THEN 1
                ELSE greatest(%(decay_floor)s,
                              2 ^ ((legs.seq - places.newest) / %(half_life)s)) END AS decay
    FROM legs
    JOIN places USING (place)
    CROSS JOIN LATERAL (
        SELECT memory_id, sitting, pinned
        FROM memory.memory_characters
        WHERE user_id = %(user_id)s AND character_id = places.character_id AND seq = legs.seq
        OFFSET 0
    ) AS mc
), ends AS MATERIALIZED (
    -- A leg that is not full has no worst that says "unrelated": its zero is no match at all.
    SELECT min(similarity) AS far, max(similarity) - min(similarity) AS spread,
           max(words) - CASE WHEN count(words) < %(overfetch)s THEN 0
                             ELSE min(words) END AS breadth,
           CASE WHEN count(words) < %(overfetch)s THEN 0 ELSE min(words) END AS least
    FROM found
), placed AS (
    SELECT *,
           CASE WHEN similarity IS NOT NULL THEN row_number() OVER (
               ORDER BY similarity * CASE %(fusion)s WHEN 'ranks' THEN decay ELSE 1 END
               DESC NULLS LAST, seq DESC) - 1 END AS vector_rank,
           CASE WHEN words IS NOT NULL THEN row_number() OVER (
               ORDER BY words * CASE %(fusion)s WHEN 'ranks' THEN decay ELSE 1 END
               DESC NULLS LAST, seq DESC) - 1 END AS keyword_rank
    FROM found
), own AS MATERIALIZED (
    SELECT character_id, seq, memory_id, sitting, decay, similarity, vector_rank, keyword_rank,
           CASE %(fusion)s
               WHEN 'ranks' THEN coalesce(1 / (%(rrf_k)s + vector_rank), 0)
                   + coalesce(1 / (%(rrf_k)s + keyword_rank), 0)
               -- What stands alone in its leg, or is like all others there, is its best.
               ELSE decay * (
                   CASE WHEN similarity IS NULL THEN 0 WHEN spread = 0 THEN 1 - %(keyword_share)s
                        ELSE (1 - %(keyword_share)s) * (similarity - far) / spread END
                   + CASE WHEN words IS NULL THEN 0 WHEN breadth = 0 THEN %(keyword_share)s
                          ELSE %(keyword_share)s * (words - least) / breadth END)
           END AS own
    FROM placed CROSS JOIN ends
), steps AS MATERIALIZED (
    SELECT n::integer * direction AS step, share
    FROM unnest(%(context)s) WITH ORDINALITY AS neighbour (share, n),
         unnest(ARRAY[-1, 1]) AS direction
), lent AS MATERIALIZED (
    -- In a sitting; a memory that sits alone, by the negative of its seq, has nothing of others.
    SELECT character_id, seq + step AS seq, sitting, sum(own * share) AS score
    FROM own CROSS JOIN steps
    WHERE sitting > 0
    GROUP BY character_id, seq + step, sitting
), gained AS (
    SELECT own.memory_id, own.character_id, own.seq, own.own + coalesce(lent.score, 0) AS score,
           own.own, own.decay, own.similarity, own.vector_rank, own.keyword_rank
    FROM own LEFT JOIN lent USING (character_id, seq, sitting)
    UNION ALL
    -- What neither leg found may come in by its neighbours alone.
    SELECT mc.memory_id, lent.character_id, lent.seq, lent.score, 0, NULL, NULL, NULL, NULL
    FROM lent
    CROSS JOIN LATERAL (
        SELECT memory_id, sitting, live
        FROM memory.memory_characters
        WHERE user_id = %(user_id)s AND character_id = lent.character_id AND seq = lent.seq
        OFFSET 0
    ) AS mc
    WHERE mc.sitting = lent.sitting AND mc.live
      AND (lent.character_id, lent.seq) NOT IN (SELECT character_id, seq FROM own)
), best AS MATERIALIZED (
    SELECT *
    FROM gained
    ORDER BY score DESC, vector_rank, seq DESC
    LIMIT (%(limit)s + %(spare)s + %(reserved)s) * cardinality(%(character_ids)s)
), ranked AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY score DESC, vector_rank, seq DESC, memory_id) AS rank
    FROM (SELECT DISTINCT ON (memory_id) * FROM best ORDER BY memory_id, score DESC) AS once
), important AS MATERIALIZED (
    SELECT mc.memory_id, mc.importance, mc.seq
    FROM places
    CROSS JOIN LATERAL (
        SELECT memory_id, importance, seq
        FROM memory.memory_characters
        WHERE user_id = %(user_id)s AND character_id = places.character_id AND live
          AND importance >= %(important_from)s
          AND memory_id NOT IN (SELECT memory_id FROM ranked WHERE rank <= %(limit)s - %(reserved)s)
        ORDER BY importance DESC, seq DESC
        LIMIT %(reserved)s
    ) AS mc
    GROUP BY mc.memory_id, mc.importance, mc.seq
    ORDER BY mc.importance DESC, mc.seq DESC
    LIMIT %(reserved)s
), chosen AS MATERIALIZED (
    SELECT memory_id, 'fused' AS slot, rank
    FROM (SELECT memory_id, rank FROM ranked
          WHERE memory_id NOT IN (SELECT memory_id FROM important)
          ORDER BY rank
          LIMIT %(limit)s + %(spare)s - (SELECT count(*) FROM important)) AS kept
    UNION ALL
    SELECT memory_id, 'importance',
           1000 + row_number() OVER (ORDER BY importance DESC, seq DESC) FROM important
), filled AS MATERIALIZED (
    SELECT memory_id, slot, rank FROM chosen
    UNION ALL
    SELECT memory_id, 'newest', 2000 + row_number() OVER (ORDER BY seq DESC)
    FROM (SELECT memory_id, max(seq) AS seq
          FROM places
          CROSS JOIN LATERAL (
                SELECT memory_id, seq
                FROM memory.memory_characters
                WHERE user_id = %(user_id)s AND character_id = places.character_id AND live
                  AND %(vector)s IS NULL
                ORDER BY seq DESC
                LIMIT 2 * %(limit)s + %(spare)s) AS late
          WHERE memory_id NOT IN (SELECT memory_id FROM chosen)
          GROUP BY memory_id
          ORDER BY seq DESC
          LIMIT %(limit)s) AS newest
)
SELECT m.id, m.character_ids, m.summary, m.details, m.importance, m.began_at, m.happened_at, m.created_at,
       m.pinned_at IS NOT NULL AS pinned, m.muted_at IS NOT NULL AS muted,
       (SELECT array_agg(c.name ORDER BY array_position(m.character_ids, c.id))
        FROM chat.characters c WHERE c.id = ANY (m.character_ids)) AS involved,
       filled.slot, coalesce(ranked.score, 0), coalesce(ranked.decay, 1),
       coalesce(ranked.score - ranked.own, 0), ranked.similarity,
       ranked.vector_rank::integer, ranked.keyword_rank::integer
FROM filled
CROSS JOIN LATERAL (
    SELECT *
    FROM memory.memories
    WHERE id = filled.memory_id AND user_id = %(user_id)s
    OFFSET 0
) AS m
LEFT JOIN ranked ON ranked.memory_id = filled.memory_id
ORDER BY filled.rank
