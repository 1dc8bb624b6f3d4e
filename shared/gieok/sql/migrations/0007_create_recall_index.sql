-- The recall index: a memory's vectors, and the postings of its keyed digests, per relationship.
-- Both hold live memories only, and the triggers below keep them so in the same transaction.

ALTER TABLE memory.memory_characters
    ADD COLUMN importance smallint NOT NULL DEFAULT 1 CHECK (importance BETWEEN 1 AND 10),
    -- Neither muted nor invalidated.
    ADD COLUMN live boolean NOT NULL DEFAULT true,
    -- Whether it has a vector; if not, the worker is to make one.
    ADD COLUMN embedded boolean NOT NULL DEFAULT false,
    -- Keyed digests of search terms, never words, and what each weighs here (1 to 255).
    ADD COLUMN digests bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN impacts smallint[] NOT NULL DEFAULT '{}',
    ADD CHECK (cardinality(digests) = cardinality(impacts));

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
END $$;
-- Never out of line: fetched from TOAST an exact scan costs 3.5 times as much.
ALTER TABLE memory.vectors ALTER COLUMN embedding SET STORAGE PLAIN;

-- One row per digest and 512 memories of a pair: (seq << 8) | impact of each that holds it.
CREATE TABLE memory.postings (
    user_id text NOT NULL,
    character_id uuid NOT NULL,
    digest bigint NOT NULL,
    block integer NOT NULL,
    entries integer[] NOT NULL,
    PRIMARY KEY (user_id, character_id, digest, block)
) WITH (fillfactor = 80);

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

CREATE FUNCTION memory.keep_liveness() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE memory.memory_characters
    SET importance = NEW.importance, live = (NEW.muted_at IS NULL AND NEW.invalidated_at IS NULL)
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
    AFTER UPDATE OF importance, muted_at, invalidated_at ON memory.memories
    FOR EACH ROW EXECUTE FUNCTION memory.keep_liveness();

-- What earlier versions kept with the memory itself moves here. BM25 with k1 .9, b .4 and an
-- average length of 60 pieces, as in keywords.py, in hundredths.
UPDATE memory.memory_characters mc
SET importance = m.importance,
    live = (m.muted_at IS NULL AND m.invalidated_at IS NULL),
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
DROP INDEX memory.memories_by_keyword;
ALTER TABLE memory.memories
    DROP COLUMN keywords, DROP COLUMN embedding, DROP COLUMN embedding_model;

-- A pair's vectors one after another, whenever they were written: an exact scan reads this alone.
CREATE INDEX vectors_of_pair ON memory.vectors (user_id, character_id, model, seq)
    INCLUDE (memory_id, embedding) WHERE live;
CREATE INDEX memory_characters_by_importance
    ON memory.memory_characters (user_id, character_id, importance DESC, seq DESC)
    INCLUDE (memory_id) WHERE live;
CREATE INDEX memory_characters_to_embed ON memory.memory_characters (user_id, character_id)
    WHERE live AND NOT embedded;

DO $$
DECLARE
    t regclass;
BEGIN
    FOREACH t IN ARRAY ARRAY['memory.vectors', 'memory.postings']::regclass[] LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', t);
        EXECUTE format(
            'CREATE POLICY own_rows ON %s TO gieok_chat, gieok_worker'
            ' USING (user_id = privacy.current_user_id())'
            ' WITH CHECK (user_id = privacy.current_user_id())', t);
    END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON memory.vectors, memory.postings TO gieok_chat, gieok_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON memory.memory_characters TO gieok_chat, gieok_worker;
GRANT UPDATE ON memory.memories, memory.pairs TO gieok_chat;
-- The sweep finds memories without a vector; it sees no vector and no digest.
GRANT SELECT (user_id, character_id, seq, memory_id, live, embedded)
    ON memory.memory_characters TO gieok_sweep;
CREATE POLICY all_rows ON memory.memory_characters TO gieok_sweep USING (true);
