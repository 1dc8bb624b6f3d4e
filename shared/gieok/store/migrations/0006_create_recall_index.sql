-- The recall index: a pair's vectors in blocks of a page, and its keyed digests in rows of some
-- hundred postings (docs/decisions/10 and 22). Both know places, not whether a memory is muted: recall
-- passes over those that rest. What is invalidated or deleted leaves them in the same transaction.

DO $$
BEGIN
    -- As many vectors to a row as a page holds, by seq: an exact scan reads a row a page and copies
    -- nothing. An empty slot is null; `held` has a bit for each of the others. Vectors of different
    -- models live side by side while one replaces another.
    EXECUTE format($ddl$
        CREATE TABLE memory.vector_blocks (
            user_id text NOT NULL,
            character_id uuid NOT NULL,
            model text NOT NULL,
            block integer NOT NULL,
            held bigint NOT NULL,
            embeddings halfvec(%s)[] NOT NULL,
            PRIMARY KEY (user_id, character_id, model, block)
        ) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.1)$ddl$,
        current_setting('gieok.vector_width'));
    EXECUTE format($ddl$
        CREATE FUNCTION memory.vectors_a_block() RETURNS integer
        LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN least(62, greatest(1, 7740 / (8 + 2 * %s)))$ddl$,
        current_setting('gieok.vector_width'));
END $$;
-- Never out of line: fetched from TOAST an exact scan costs 3.5 times as much.
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

CREATE FUNCTION memory.holds(held bigint, seq integer) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (held >> (seq % memory.vectors_a_block())) & 1 = 1;

-- A memory's vector of a model, in place of the one it has, if any.
CREATE FUNCTION memory.put_vector(
    of_user text, of_character uuid, of_seq integer, of_model text, vector halfvec)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    size CONSTANT integer := memory.vectors_a_block();
    fresh halfvec[] := array_fill(NULL::halfvec, ARRAY[size]);
BEGIN
    fresh[of_seq % size + 1] := vector;
    INSERT INTO memory.vector_blocks AS b (user_id, character_id, model, block, held, embeddings)
    VALUES (of_user, of_character, of_model, of_seq / size, 1::bigint << of_seq % size, fresh)
    ON CONFLICT (user_id, character_id, model, block) DO UPDATE
        SET embeddings[of_seq % size + 1] = vector,
            held = b.held | excluded.held;
END $$;

-- A memory's vectors go, but for those of the models that are kept.
CREATE FUNCTION memory.drop_vectors(
    of_user text, of_character uuid, of_seq integer, kept text[] DEFAULT '{}')
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    size CONSTANT integer := memory.vectors_a_block();
BEGIN
    DELETE FROM memory.vector_blocks b
    WHERE b.user_id = of_user AND b.character_id = of_character AND b.block = of_seq / size
      AND b.model <> ALL (kept) AND b.held = 1::bigint << of_seq % size;
    UPDATE memory.vector_blocks b
    SET embeddings[of_seq % size + 1] = NULL, held = b.held & ~(1::bigint << of_seq % size)
    WHERE b.user_id = of_user AND b.character_id = of_character AND b.block = of_seq / size
      AND b.model <> ALL (kept) AND memory.holds(b.held, of_seq);
END $$;
-- The operator sees who has vectors of which model, and no vector.
CALL privacy.guard('memory.vector_blocks',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE, DELETE',
                      'memory_worker: SELECT, INSERT, UPDATE, DELETE'],
    all_rows => ARRAY['operator: SELECT (user_id, character_id, model, block, held)']);

-- Keyed digests, never words. A digest has 25 bits, an impact 4 (what it weighs in its memory).
--
-- Those of a pair's latest memories, a row for each: (digest << 4) | impact, in order.
CREATE TABLE memory.recent_postings (
    user_id text NOT NULL,
    character_id uuid NOT NULL,
    seq integer NOT NULL,
    entries integer[] NOT NULL,
    PRIMARY KEY (user_id, character_id, seq)
) WITH (toast_tuple_target = 8160);
-- Those of the others: a row for each 256 memories (block) and each first 7 bits of a digest (part),
-- with (other 18 bits << 12) | (seq & 255) << 4 | impact, in order. So a digest is found by one
-- look-up in a row, and takes four bytes there.
CREATE TABLE memory.postings (
    user_id text NOT NULL,
    character_id uuid NOT NULL,
    part smallint NOT NULL,
    block integer NOT NULL,
    entries integer[] NOT NULL,
    PRIMARY KEY (user_id, character_id, part, block)
) WITH (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.1);
-- Compressed or out of line, a row would be copied for each look-up.
ALTER TABLE memory.recent_postings ALTER COLUMN entries SET STORAGE PLAIN;
ALTER TABLE memory.postings ALTER COLUMN entries SET STORAGE MAIN;

-- The entries between two values, the lower one left out. Found by halving, as they are in order.
CREATE FUNCTION memory.entries_between(entries integer[], low integer, high integer)
RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN entries[width_bucket(low, entries) + 1 : width_bucket(high, entries)];

-- A memory's digests, in place of those that it has. When a pair's recent rows are 32, all are folded
-- into blocks: so a memory writes one row, and two rows of a block by and by.
CREATE FUNCTION memory.put_postings(
    of_user text, of_character uuid, of_seq integer, digests integer[], impacts smallint[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM memory.drop_postings(of_user, of_character, of_seq);
    IF cardinality(digests) = 0 THEN
        RETURN;
    END IF;
    INSERT INTO memory.recent_postings (user_id, character_id, seq, entries)
    SELECT of_user, of_character, of_seq, array_agg((d << 4) | i ORDER BY d)
    FROM unnest(digests, impacts) AS term (d, i);
    IF (SELECT count(*) FROM memory.recent_postings
        WHERE user_id = of_user AND character_id = of_character) >= 32 THEN
        PERFORM memory.fold_postings(of_user, of_character);
    END IF;
END $$;

CREATE FUNCTION memory.fold_postings(of_user text, of_character uuid)
RETURNS void LANGUAGE sql AS $$
    WITH folded AS (
        DELETE FROM memory.recent_postings
        WHERE user_id = of_user AND character_id = of_character
        RETURNING seq, entries
    )
    INSERT INTO memory.postings AS p (user_id, character_id, part, block, entries)
    SELECT of_user, of_character, part, block, array_agg(entry ORDER BY entry)
    FROM (SELECT (entry >> 22)::smallint AS part, seq >> 8 AS block,
                 (((entry >> 4) & 262143) << 12) | ((seq & 255) << 4) | (entry & 15) AS entry
          FROM folded, unnest(entries) AS entry) AS placed
    GROUP BY part, block
    ORDER BY part, block
    ON CONFLICT (user_id, character_id, part, block) DO UPDATE
        SET entries = (SELECT array_agg(entry ORDER BY entry)
                       FROM unnest(p.entries || excluded.entries) AS entry)
$$;

CREATE FUNCTION memory.drop_postings(of_user text, of_character uuid, of_seq integer)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM memory.recent_postings
    WHERE user_id = of_user AND character_id = of_character AND seq = of_seq;
    IF NOT FOUND THEN
        UPDATE memory.postings p
        SET entries = (SELECT coalesce(array_agg(entry ORDER BY entry), '{}')
                       FROM unnest(p.entries) AS entry
                       WHERE (entry >> 4) & 255 <> of_seq & 255)
        WHERE p.user_id = of_user AND p.character_id = of_character AND p.block = of_seq >> 8
          AND EXISTS (SELECT FROM unnest(p.entries) AS entry
                      WHERE (entry >> 4) & 255 = of_seq & 255);
        DELETE FROM memory.postings
        WHERE user_id = of_user AND character_id = of_character AND block = of_seq >> 8
          AND entries = '{}';
    END IF;
END $$;
CALL privacy.guard('memory.recent_postings',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE, DELETE',
                      'memory_worker: SELECT, INSERT, UPDATE, DELETE']);
CALL privacy.guard('memory.postings',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE, DELETE',
                      'memory_worker: SELECT, INSERT, UPDATE, DELETE']);

-- What leaves a relationship leaves its index. A reset drops a pair's index whole.
CREATE FUNCTION memory.leave_index() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM memory.drop_postings(OLD.user_id, OLD.character_id, OLD.seq);
    PERFORM memory.drop_vectors(OLD.user_id, OLD.character_id, OLD.seq);
    RETURN NULL;
END $$;
CREATE TRIGGER leave_index
    AFTER DELETE ON memory.memory_characters
    FOR EACH ROW WHEN (current_setting('gieok.index_dropped', true) IS DISTINCT FROM 'on')
    EXECUTE FUNCTION memory.leave_index();

CREATE FUNCTION memory.keep_liveness() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE memory.memory_characters
    SET importance = NEW.importance, pinned = (NEW.pinned_at IS NOT NULL),
        live = (NEW.muted_at IS NULL AND NEW.invalidated_at IS NULL)
    WHERE user_id = NEW.user_id AND memory_id = NEW.id;
    IF NEW.invalidated_at IS NOT NULL THEN
        PERFORM memory.drop_postings(mc.user_id, mc.character_id, mc.seq),
                memory.drop_vectors(mc.user_id, mc.character_id, mc.seq)
        FROM memory.memory_characters mc
        WHERE mc.user_id = NEW.user_id AND mc.memory_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER keep_liveness
    AFTER UPDATE OF importance, pinned_at, muted_at, invalidated_at ON memory.memories
    FOR EACH ROW EXECUTE FUNCTION memory.keep_liveness();
