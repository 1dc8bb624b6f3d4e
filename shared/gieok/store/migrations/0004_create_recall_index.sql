-- The recall index: blocks of vectors, and the postings of keyed digests, for each relationship. Both
-- hold live memories only, and the triggers below keep them so in the same transaction.

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
-- How far the nearest vector of a block is: cosine distance, null for an empty place and for no
-- question. Written out place by place, so that the planner puts it into the query that calls it
-- and no vector is taken out of its block to be compared.
DO $$ BEGIN
    EXECUTE (
        SELECT format(
            'CREATE FUNCTION memory.nearest(embeddings halfvec[], asked halfvec) RETURNS float8'
            ' LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN least(%s)',
            string_agg(format('embeddings[%s] <=> asked', place), ', ' ORDER BY place))
        FROM generate_series(1, memory.vectors_a_block()) AS place);
END $$;

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
-- The operator sees who has vectors of which model, and no vector.
CALL privacy.guard('memory.vectors',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE, DELETE',
                      'memory_worker: SELECT, INSERT, UPDATE, DELETE'],
    all_rows => ARRAY['operator: SELECT (user_id, character_id, seq, model)']);
CALL privacy.guard('memory.vector_blocks',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE, DELETE',
                      'memory_worker: SELECT, INSERT, UPDATE, DELETE']);

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
-- A reset drops the postings of a pair at once, and removes its memories after that.
CREATE TRIGGER keep_postings
    AFTER INSERT OR DELETE OR UPDATE OF live, digests, impacts ON memory.memory_characters
    FOR EACH ROW WHEN (current_setting('gieok.postings_dropped', true) IS DISTINCT FROM 'on')
    EXECUTE FUNCTION memory.keep_postings();
CALL privacy.guard('memory.postings',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE, DELETE',
                      'memory_worker: SELECT, INSERT, UPDATE, DELETE']);

CREATE FUNCTION memory.keep_liveness() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE memory.memory_characters
    SET importance = NEW.importance, pinned = (NEW.pinned_at IS NOT NULL),
        live = (NEW.muted_at IS NULL AND NEW.invalidated_at IS NULL)
    WHERE user_id = NEW.user_id AND memory_id = NEW.id;
    IF NEW.invalidated_at IS NOT NULL THEN
        DELETE FROM memory.vectors v
        USING memory.memory_characters mc
        WHERE mc.user_id = NEW.user_id AND mc.memory_id = NEW.id AND v.user_id = mc.user_id
          AND v.character_id = mc.character_id AND v.seq = mc.seq;
    ELSE
        UPDATE memory.vectors v
        SET live = (NEW.muted_at IS NULL)
        FROM memory.memory_characters mc
        WHERE mc.user_id = NEW.user_id AND mc.memory_id = NEW.id AND v.user_id = mc.user_id
          AND v.character_id = mc.character_id AND v.seq = mc.seq;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER keep_liveness
    AFTER UPDATE OF importance, pinned_at, muted_at, invalidated_at ON memory.memories
    FOR EACH ROW EXECUTE FUNCTION memory.keep_liveness();
