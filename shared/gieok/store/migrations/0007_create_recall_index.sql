-- The recall index: blocks of vectors, and the postings of keyed digests, per relationship. Both hold
-- live memories only, and the triggers below keep them so in the same transaction.

ALTER TABLE memory.memory_characters
    ADD COLUMN importance smallint NOT NULL DEFAULT 1 CHECK (importance BETWEEN 1 AND 10),
    -- Neither muted nor invalidated.
    ADD COLUMN live boolean NOT NULL DEFAULT true,
    ADD COLUMN pinned boolean NOT NULL DEFAULT false,
    -- The seq that the sitting began with: what was said within two hours of each other.
    ADD COLUMN sitting integer,
    -- Whether it has a vector; if not, the worker is to make one.
    ADD COLUMN embedded boolean NOT NULL DEFAULT false,
    -- Keyed digests of search terms, never words, and what each weighs here (1 to 255).
    ADD COLUMN digests bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN impacts smallint[] NOT NULL DEFAULT '{}',
    ADD CHECK (cardinality(digests) = cardinality(impacts)),
    -- What recall asks of a place, in the index, so that it reads no row with its digests.
    DROP CONSTRAINT memory_characters_pkey,
    ADD PRIMARY KEY (user_id, character_id, seq) INCLUDE (memory_id, sitting, pinned, live);

DO $$
BEGIN
    EXECUTE format($ddl$
        CREATE TABLE memory.vectors (
            user_id text NOT NULL,
            character_id uuid NOT NULL,
            seq integer NOT NULL,
            -- Vectors of different models live side by side while one replaces another.
            model text NOT NULL,
            memory_id uuid NOT NULL,
            live boolean NOT NULL DEFAULT true,
            embedding halfvec(%s) NOT NULL,
            PRIMARY KEY (user_id, character_id, seq, model),
            FOREIGN KEY (user_id, character_id, seq)
                REFERENCES memory.memory_characters ON DELETE CASCADE
        )$ddl$, current_setting('gieok.vector_width'));
    -- The live vectors of a pair, as many to a row as a page holds, by seq: an exact scan reads a row
    -- a page and copies nothing (docs/decisions/10). An empty slot is null.
    EXECUTE format($ddl$
        CREATE TABLE memory.vector_blocks (
            user_id text NOT NULL,
            character_id uuid NOT NULL,
            model text NOT NULL,
            block integer NOT NULL,
            embeddings halfvec(%s)[] NOT NULL,
            PRIMARY KEY (user_id, character_id, model, block)
        ) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.1)$ddl$,
        current_setting('gieok.vector_width'));
    EXECUTE format($ddl$
        CREATE FUNCTION memory.vectors_a_block() RETURNS integer
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN greatest(1, 7750 / (8 + 2 * %s))$ddl$,
        current_setting('gieok.vector_width'));
END $$;
-- Never out of line: fetched from TOAST an exact scan costs 3.5 times as much.
ALTER TABLE memory.vectors ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE memory.vector_blocks ALTER COLUMN embeddings SET STORAGE PLAIN;
-- An index alone answers for pages that a vacuum has seen: let it come while new rows are few.
ALTER TABLE memory.memory_characters
    SET (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 1000);

-- One row per digest and 512 memories of a pair: (seq << 8) | impact of each that holds it.
CREATE TABLE memory.postings (
    user_id text NOT NULL,
    character_id uuid NOT NULL,
    digest bigint NOT NULL,
    block integer NOT NULL,
    entries integer[] NOT NULL,
    PRIMARY KEY (user_id, character_id, digest, block)
) WITH (fillfactor = 80, toast_tuple_target = 8160);
-- A full block is 2 KB, where PostgreSQL would begin to compress it and move it out of line.
ALTER TABLE memory.postings ALTER COLUMN entries SET STORAGE PLAIN;

CREATE FUNCTION memory.keep_postings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.live THEN
        DELETE FROM memory.postings p
        USING unnest(OLD.digests, OLD.impacts) AS old_term (digest, impact)
        WHERE p.user_id = OLD.user_id AND p.character_id = OLD.character_id
          AND p.digest = old_term.digest AND p.block = OLD.seq >> 9
          AND p.entries = ARRAY[(OLD.seq << 8) | old_term.impact];
        UPDATE memory.postings p
        SET entries = array_remove(p.entries, (OLD.seq << 8) | old_term.impact)
        FROM unnest(OLD.digests, OLD.impacts) AS old_term (digest, impact)
        WHERE p.user_id = OLD.user_id AND p.character_id = OLD.character_id
          AND p.digest = old_term.digest AND p.block = OLD.seq >> 9;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.live THEN
        INSERT INTO memory.postings AS p (user_id, character_id, digest, block, entries)
        SELECT NEW.user_id, NEW.character_id, term.digest, NEW.seq >> 9,
               ARRAY[(NEW.seq << 8) | term.impact]
        FROM unnest(NEW.digests, NEW.impacts) AS term (digest, impact)
        ORDER BY term.digest
        ON CONFLICT (user_id, character_id, digest, block)
            DO UPDATE SET entries = p.entries || excluded.entries;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER keep_postings
    AFTER INSERT OR DELETE OR UPDATE OF live, digests, impacts ON memory.memory_characters
    FOR EACH ROW EXECUTE FUNCTION memory.keep_postings();

CREATE FUNCTION memory.keep_vector_blocks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    size CONSTANT integer := memory.vectors_a_block();
    fresh halfvec[] := array_fill(NULL::halfvec, ARRAY[size]);
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.live THEN
        UPDATE memory.vector_blocks b
        SET embeddings[OLD.seq % size + 1] = NULL
        WHERE b.user_id = OLD.user_id AND b.character_id = OLD.character_id
          AND b.model = OLD.model AND b.block = OLD.seq / size;
        DELETE FROM memory.vector_blocks b
        WHERE b.user_id = OLD.user_id AND b.character_id = OLD.character_id
          AND b.model = OLD.model AND b.block = OLD.seq / size
          AND cardinality(array_remove(b.embeddings, NULL)) = 0;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.live THEN
        fresh[NEW.seq % size + 1] := NEW.embedding;
        INSERT INTO memory.vector_blocks (user_id, character_id, model, block, embeddings)
        VALUES (NEW.user_id, NEW.character_id, NEW.model, NEW.seq / size, fresh)
        ON CONFLICT (user_id, character_id, model, block)
            DO UPDATE SET embeddings[NEW.seq % size + 1] = NEW.embedding;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER keep_vector_blocks
    AFTER INSERT OR DELETE OR UPDATE OF live, embedding ON memory.vectors
    FOR EACH ROW EXECUTE FUNCTION memory.keep_vector_blocks();

CREATE FUNCTION memory.keep_liveness() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE memory.memory_characters
    SET importance = NEW.importance, pinned = (NEW.pinned_at IS NOT NULL),
        live = (NEW.muted_at IS NULL AND NEW.invalidated_at IS NULL)
    WHERE user_id = NEW.user_id AND memory_id = NEW.id;
    IF NEW.invalidated_at IS NOT NULL THEN
        DELETE FROM memory.vectors v
        USING memory.memory_characters mc
        WHERE mc.memory_id = NEW.id AND v.user_id = mc.user_id
          AND v.character_id = mc.character_id AND v.seq = mc.seq;
    ELSE
        UPDATE memory.vectors v
        SET live = (NEW.muted_at IS NULL)
        FROM memory.memory_characters mc
        WHERE mc.memory_id = NEW.id AND v.user_id = mc.user_id
          AND v.character_id = mc.character_id AND v.seq = mc.seq;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER keep_liveness
    AFTER UPDATE OF importance, pinned_at, muted_at, invalidated_at ON memory.memories
    FOR EACH ROW EXECUTE FUNCTION memory.keep_liveness();

-- A forced policy would hide every row from the owner who migrates them.
ALTER TABLE memory.memories NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memory.memory_characters NO FORCE ROW LEVEL SECURITY;
-- What earlier versions kept with the memory itself moves here. BM25 with k1 .9, b .4 and an
-- average length of 60 pieces, as in keywords.py, in hundredths.
UPDATE memory.memory_characters mc
SET importance = m.importance,
    live = (m.muted_at IS NULL AND m.invalidated_at IS NULL),
    pinned = (m.pinned_at IS NOT NULL),
    sitting = mc.seq,
    embedded = (m.embedding IS NOT NULL),
    digests = coalesce(terms.digests, '{}'),
    impacts = coalesce(terms.impacts, '{}')
FROM memory.memories m
LEFT JOIN LATERAL (
    SELECT array_agg(digest ORDER BY digest) AS digests,
           array_agg(round(190 * f / (f + 0.9 * (0.6 + 0.4 * length(m.keywords) / 60.0)))::smallint
                     ORDER BY digest) AS impacts
    FROM (
        SELECT ('x' || t.lexeme)::bit(64)::bigint AS digest,
               CASE t.weights[1] WHEN 'A' THEN 1 WHEN 'B' THEN 0.5 ELSE 0.25 END AS f
        FROM unnest(m.keywords) AS t
    ) AS weighed
) AS terms ON true
WHERE m.id = mc.memory_id;
INSERT INTO memory.vectors (user_id, character_id, seq, model, memory_id, live, embedding)
SELECT mc.user_id, mc.character_id, mc.seq, m.embedding_model, m.id, mc.live, m.embedding
FROM memory.memory_characters mc
JOIN memory.memories m ON m.id = mc.memory_id
WHERE m.embedding IS NOT NULL AND m.invalidated_at IS NULL;
ALTER TABLE memory.memories FORCE ROW LEVEL SECURITY;
ALTER TABLE memory.memory_characters FORCE ROW LEVEL SECURITY;
ALTER TABLE memory.memory_characters ALTER COLUMN sitting SET NOT NULL;
DROP INDEX memory.memories_by_keyword;
ALTER TABLE memory.memories
    DROP COLUMN keywords, DROP COLUMN embedding, DROP COLUMN embedding_model;

CREATE INDEX memory_characters_by_importance
    ON memory.memory_characters (user_id, character_id, importance DESC, seq DESC)
    INCLUDE (memory_id) WHERE live;
CREATE INDEX memory_characters_to_embed ON memory.memory_characters (user_id, character_id)
    WHERE live AND NOT embedded;

DO $$
DECLARE
    t regclass;
BEGIN
    FOREACH t IN ARRAY ARRAY[
        'memory.vectors', 'memory.vector_blocks', 'memory.postings']::regclass[]
    LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', t);
        EXECUTE format(
            'CREATE POLICY own_rows ON %s TO gieok_chat, gieok_memory_worker'
            ' USING (user_id = privacy.current_user_id())'
            ' WITH CHECK (user_id = privacy.current_user_id())', t);
    END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE
    ON memory.vectors, memory.vector_blocks, memory.postings TO gieok_chat, gieok_memory_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON memory.memory_characters TO gieok_chat, gieok_memory_worker;
GRANT UPDATE ON memory.memories, memory.pairs TO gieok_chat;
-- The sweep finds memories without a vector; it sees no vector and no digest.
GRANT SELECT (user_id, character_id, seq, memory_id, live, embedded)
    ON memory.memory_characters TO gieok_retention_sweep;
CREATE POLICY all_rows ON memory.memory_characters TO gieok_retention_sweep USING (true);

-- What a question brings back, best first, and why; exact, inside the scope only. A function,
-- because its plan is kept with the connection: planning costs more than running it, and no prepared
-- statement may pin a proxied connection.
--
-- Two legs: cosine over the vectors, BM25 over the postings. By "scores" each leg is spread over 0
-- to 1 among its own candidates, weighed and added; by "ranks" it is decayed first and fused by
-- reciprocal rank. Then a memory gains a part of what its neighbours in the same conversation have,
-- scores decay with age, and important memories that hold no sure place take reserved ones.
CREATE FUNCTION memory.recall(
    owner text, characters uuid[], question halfvec, embedder text, asked bigint[],
    weights float8[], budget integer, overfetch integer, fusion text, keyword_share float8, rrf_k float8,
    neighbours float8[], half_life float8, decay_floor float8, important_from integer,
    reserved integer, wanted integer
) RETURNS TABLE (
    id uuid, character_ids uuid[], summary bytea, details bytea, importance smallint,
    happened_at timestamptz, created_at timestamptz, pinned boolean, muted boolean,
    involved text[], slot text, score float8, decay float8, context float8, similarity float8,
    vector_rank integer, keyword_rank integer
) LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
RETURN QUERY
WITH places AS MATERIALIZED (
    SELECT c.character_id, c.place::integer AS place, p.next_seq - 1 AS newest
    FROM unnest(characters) WITH ORDINALITY AS c (character_id, place)
    JOIN memory.pairs p ON p.user_id = owner AND p.character_ids = ARRAY[c.character_id]
), near AS MATERIALIZED (
    SELECT places.place, v.seq, 1 - v.apart AS similarity
    FROM (
        SELECT character_id, block * memory.vectors_a_block() + slot - 1 AS seq,
               embedding <=> question AS apart
        FROM (
            SELECT character_id, block, generate_subscripts(embeddings, 1) AS slot,
                   unnest(embeddings) AS embedding
            FROM memory.vector_blocks
            WHERE user_id = owner AND character_id = ANY (characters) AND model = embedder
        ) AS packed
        WHERE embedding IS NOT NULL
        ORDER BY apart
        LIMIT CASE WHEN question IS NULL THEN 0 ELSE overfetch * cardinality(characters) END
    ) AS v
    JOIN places USING (character_id)
), held AS (
    SELECT places.place, places.newest, p.digest, term.counts_for, p.entries,
           sum(cardinality(p.entries)) OVER (PARTITION BY places.place, p.digest) AS holders
    FROM unnest(asked, weights) AS term (digest, counts_for)
    CROSS JOIN places
    JOIN memory.postings p
        ON p.user_id = owner AND p.character_id = places.character_id AND p.digest = term.digest
), weighed AS MATERIALIZED (
    -- The rarest digests first, and no more than can be read in time; the rarest in any case.
    SELECT place, entries,
           (1000 * counts_for
            * ln((newest + 1) / (least(holders, newest) + 0.5)::float8))::integer AS weight
    FROM (
        SELECT *, sum(cardinality(entries)) OVER (PARTITION BY place ORDER BY holders, digest) AS upto
        FROM held
    ) AS rarest
    WHERE upto <= budget OR upto = holders
), worded AS MATERIALIZED (
    SELECT place, entry >> 8 AS seq, sum(weight * (entry & 255))::float8 AS words
    FROM weighed, unnest(entries) AS entry
    GROUP BY place, entry >> 8
    ORDER BY words DESC, seq DESC
    LIMIT overfetch * cardinality(characters)
), legs AS MATERIALIZED (
    SELECT place, seq, max(similarity) AS similarity, max(words) AS words
    FROM (
        SELECT place, seq, similarity, NULL::float8 AS words FROM near
        UNION ALL SELECT place, seq, NULL, words FROM worded
    ) AS either
    GROUP BY place, seq
), found AS MATERIALIZED (
    SELECT legs.place, places.character_id, legs.seq, mc.sitting, legs.similarity, legs.words,
           CASE WHEN mc.pinned THEN 1
                ELSE greatest(decay_floor, 2 ^ ((legs.seq - places.newest) / half_life)) END AS decay
    FROM legs
    JOIN places USING (place)
    JOIN memory.memory_characters mc
        ON mc.user_id = owner AND mc.character_id = places.character_id AND mc.seq = legs.seq
), ends AS MATERIALIZED (
    -- A leg that is not full has no worst that says "unrelated": its zero is no match at all.
    SELECT min(similarity) AS far, max(similarity) - min(similarity) AS spread,
           max(words) - CASE WHEN count(words) < overfetch THEN 0 ELSE min(words) END AS breadth,
           CASE WHEN count(words) < overfetch THEN 0 ELSE min(words) END AS least
    FROM found
), placed AS (
    SELECT *,
           CASE WHEN similarity IS NOT NULL THEN row_number() OVER (
               ORDER BY similarity * CASE fusion WHEN 'ranks' THEN decay ELSE 1 END
               DESC NULLS LAST, seq DESC) - 1 END AS vector_rank,
           CASE WHEN words IS NOT NULL THEN row_number() OVER (
               ORDER BY words * CASE fusion WHEN 'ranks' THEN decay ELSE 1 END
               DESC NULLS LAST, seq DESC) - 1 END AS keyword_rank
    FROM found
), own AS (
    SELECT place, character_id, seq, sitting, decay, similarity, vector_rank, keyword_rank,
           CASE fusion
               WHEN 'ranks' THEN coalesce(1 / (rrf_k + vector_rank), 0)
                   + coalesce(1 / (rrf_k + keyword_rank), 0)
               -- What stands alone in its leg, or is like all others there, is its best.
               ELSE decay * (
                   CASE WHEN similarity IS NULL THEN 0 WHEN spread = 0 THEN 1 - keyword_share
                        ELSE (1 - keyword_share) * (similarity - far) / spread END
                   + CASE WHEN words IS NULL THEN 0 WHEN breadth = 0 THEN keyword_share
                          ELSE keyword_share * (words - least) / breadth END)
           END AS own
    FROM placed CROSS JOIN ends
), steps AS (
    SELECT 0 AS step, 1::float8 AS share
    UNION ALL
    SELECT n::integer * direction, share
    FROM unnest(neighbours) WITH ORDINALITY AS neighbour (share, n), unnest(ARRAY[-1, 1]) AS direction
), gained AS (
    SELECT character_id, seq + step AS seq, sitting, sum(own * share) AS score,
           coalesce(sum(own * share) FILTER (WHERE step <> 0), 0) AS context,
           max(decay) FILTER (WHERE step = 0) AS decay,
           max(similarity) FILTER (WHERE step = 0) AS similarity,
           max(vector_rank) FILTER (WHERE step = 0) AS vector_rank,
           max(keyword_rank) FILTER (WHERE step = 0) AS keyword_rank
    FROM own CROSS JOIN steps
    GROUP BY character_id, seq + step, sitting
), best AS MATERIALIZED (
    SELECT mc.memory_id, gained.seq, gained.score, gained.context, gained.decay, gained.similarity,
           gained.vector_rank, gained.keyword_rank
    FROM (SELECT * FROM gained ORDER BY score DESC, vector_rank, seq DESC) AS gained
    JOIN memory.memory_characters mc
        ON mc.user_id = owner AND mc.character_id = gained.character_id AND mc.seq = gained.seq
        AND mc.sitting = gained.sitting AND mc.live
    ORDER BY gained.score DESC, gained.vector_rank, gained.seq DESC
    LIMIT (wanted + reserved) * cardinality(characters)
), ranked AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY score DESC, vector_rank, seq DESC, memory_id) AS rank
    FROM (SELECT DISTINCT ON (memory_id) * FROM best ORDER BY memory_id, score DESC) AS once
), important AS MATERIALIZED (
    SELECT mc.memory_id, mc.importance, mc.seq
    FROM places
    CROSS JOIN LATERAL (
        SELECT memory_id, importance, seq
        FROM memory.memory_characters
        WHERE user_id = owner AND character_id = places.character_id AND live
          AND importance >= important_from
          AND memory_id NOT IN (SELECT memory_id FROM ranked WHERE rank <= wanted - reserved)
        ORDER BY importance DESC, seq DESC
        LIMIT reserved
    ) AS mc
    GROUP BY mc.memory_id, mc.importance, mc.seq
    ORDER BY mc.importance DESC, mc.seq DESC
    LIMIT reserved
), chosen AS MATERIALIZED (
    SELECT memory_id, 'fused' AS slot, rank
    FROM (SELECT memory_id, rank FROM ranked
          WHERE memory_id NOT IN (SELECT memory_id FROM important)
          ORDER BY rank
          LIMIT wanted - (SELECT count(*) FROM important)) AS kept
    UNION ALL
    SELECT memory_id, 'importance',
           1000 + row_number() OVER (ORDER BY importance DESC, seq DESC) FROM important
), filled AS MATERIALIZED (
    SELECT memory_id, slot, rank FROM chosen
    UNION ALL
    SELECT memory_id, 'newest', 2000 + row_number() OVER (ORDER BY seq DESC)
    FROM (SELECT memory_id, max(seq) AS seq
          FROM (SELECT memory_id, seq
                FROM memory.memory_characters
                WHERE user_id = owner AND character_id = ANY (characters) AND live
                  AND question IS NULL
                ORDER BY seq DESC
                LIMIT 2 * wanted * cardinality(characters)) AS late
          WHERE memory_id NOT IN (SELECT memory_id FROM chosen)
          GROUP BY memory_id
          ORDER BY seq DESC
          LIMIT wanted - (SELECT count(*) FROM chosen)) AS newest
)
SELECT m.id, m.character_ids, m.summary, m.details, m.importance, m.happened_at, m.created_at,
       m.pinned_at IS NOT NULL AS pinned, m.muted_at IS NOT NULL AS muted,
       (SELECT array_agg(c.name ORDER BY array_position(m.character_ids, c.id))
        FROM chat.characters c WHERE c.id = ANY (m.character_ids)) AS involved,
       filled.slot, coalesce(ranked.score, 0), coalesce(ranked.decay, 1),
       coalesce(ranked.context, 0), ranked.similarity, ranked.vector_rank::integer,
       ranked.keyword_rank::integer
FROM filled
JOIN memory.memories m ON m.id = filled.memory_id AND m.user_id = owner
LEFT JOIN ranked ON ranked.memory_id = filled.memory_id
ORDER BY filled.rank;
END $$;
