-- The fence, the memories with their place in each relationship, and what a window leaves besides:
-- relationship versions, facts, and earlier texts of edited memories.

-- One row for each user and cast; a pair is a cast of one. `version` is the generation fence.
CREATE TABLE memory.pairs (
    user_id text NOT NULL,
    character_ids uuid[] NOT NULL CHECK (cardinality(character_ids) >= 1),
    next_seq integer NOT NULL DEFAULT 1,
    covered_through bigint NOT NULL DEFAULT 0,
    skipped_through bigint NOT NULL DEFAULT 0,
    -- What was said up to here never becomes this character's memory: the relationship was reset.
    reset_through bigint NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 0,
    -- Failed tries of the window after the cursor, and when the next one may come.
    failures integer NOT NULL DEFAULT 0,
    retry_at timestamptz,
    -- The last turn of the shortest window whose content a model refused: it is tried alone.
    refused bigint NOT NULL DEFAULT 0,
    -- The moment that the worker hinted itself for, when turns that may still change will be settled.
    look_again_at timestamptz,
    -- Failed tries to make the pair's missing vectors, and when the next one may come.
    backfill_failures integer NOT NULL DEFAULT 0,
    backfill_at timestamptz,
    PRIMARY KEY (user_id, character_ids)
);
CALL privacy.guard('memory.pairs',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE',
                      'memory_worker: SELECT, INSERT, UPDATE'],
    all_rows => ARRAY['retention_sweep: SELECT',
                      'operator: SELECT (user_id, character_ids, covered_through,
                       skipped_through, reset_through, version, failures, retry_at), UPDATE
                       (covered_through, skipped_through, version, failures, retry_at)']);

CREATE TABLE memory.memories (
    user_id text NOT NULL,
    id uuid NOT NULL,
    character_ids uuid[] NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL,
    session_ids uuid[] NOT NULL,
    summary bytea NOT NULL,
    details bytea NOT NULL,
    -- How the user may allude to it, which its vector is made of too; null where there is nothing.
    asked_as bytea,
    importance smallint NOT NULL CHECK (importance BETWEEN 1 AND 10),
    extractor text NOT NULL,
    prompt_version text NOT NULL,
    version integer NOT NULL DEFAULT 1,
    -- When the window's first message was sent, and when its last one.
    began_at timestamptz NOT NULL,
    happened_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    edited_at timestamptz,
    pinned_at timestamptz,
    muted_at timestamptz,
    -- When the user last chose its words, or its importance: these are not made anew.
    reworded_at timestamptz,
    weighed_at timestamptz,
    invalidated_at timestamptz,
    PRIMARY KEY (user_id, id)
);
ALTER TABLE memory.memories ALTER COLUMN summary SET STORAGE EXTERNAL;
ALTER TABLE memory.memories ALTER COLUMN details SET STORAGE EXTERNAL;
ALTER TABLE memory.memories ALTER COLUMN asked_as SET STORAGE EXTERNAL;
-- One memory for each window, whatever the queue and the lock did. And which turns after the cursor are
-- in a memory that stands: ends come first, since nearly all memories end before any turn that is
-- asked about, and comparing casts is not done in an index under row security.
CREATE UNIQUE INDEX memories_one_per_window
    ON memory.memories (user_id, last_position, character_ids) INCLUDE (first_position)
    WHERE invalidated_at IS NULL;
-- The sweep and the operator tell what no window took from places alone: positions, never content.
CALL privacy.guard('memory.memories',
    own_rows => ARRAY['chat: SELECT, UPDATE, DELETE',
                      'memory_worker: SELECT, INSERT, UPDATE'],
    all_rows => ARRAY['retention_sweep: SELECT (user_id, character_ids, first_position,
                       last_position, invalidated_at)',
                      'operator: SELECT (user_id, character_ids, first_position, last_position,
                       invalidated_at)']);

-- What makes a turn wait for a window is said once, for the worker, the sweep and a turn's own count.
-- Each is written so that the planner puts it into the query that asks, whose role and rows are the
-- caller's. The memory that stands and holds a turn of a cast, if one does:
CREATE FUNCTION memory.holding(owner text, cast_ids uuid[], place bigint)
    RETURNS TABLE (holds_through bigint) LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT m.last_position
    FROM memory.memories m
    WHERE m.user_id = owner AND m.character_ids = cast_ids AND m.invalidated_at IS NULL
      AND m.last_position >= place AND m.first_position <= place;
END;

-- A session that the cast was met in anew after another one was last active: the user left that one, and
-- its turns are final.
CREATE FUNCTION memory.met_anew(owner text, cast_ids uuid[], left_session uuid, last_active timestamptz)
    RETURNS TABLE (session_id uuid) LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT o.id
    FROM chat.sessions o
    WHERE o.user_id = owner AND o.id > left_session AND o.character_ids = cast_ids
      AND o.created_at > last_active;
END;

-- Where a window with this turn has to end, or null: before the next memory that stands, before what
-- was said after a reset of one of the cast, before a turn that is done with, and on both sides of the
-- turn that a model may have refused. A window holds no turn but its own.
CREATE FUNCTION memory.window_end(owner text, cast_ids uuid[], place bigint, fallen uuid)
    RETURNS TABLE (ends_before bigint) LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT least(
        (SELECT min(m.first_position)
         FROM memory.memories m
         WHERE m.user_id = owner AND m.character_ids = cast_ids AND m.invalidated_at IS NULL
           AND m.last_position > place AND m.first_position > place),
        (SELECT min(p.reset_through) + 1
         FROM memory.pairs p
         WHERE p.user_id = owner
           AND p.character_ids IN (SELECT ARRAY[c] FROM unnest(cast_ids) AS c)
           AND p.reset_through >= place),
        (SELECT min(c.position)
         FROM chat.turns c
         WHERE c.user_id = owner AND c.character_ids = cast_ids AND c.closed
           AND c.position > place),
        -- What the user decided of a memory that fell holds for its turns alone.
        (SELECT min(c.position)
         FROM chat.turns c
         WHERE c.user_id = owner AND c.character_ids = cast_ids AND c.position > place
           AND c.fallen_memory IS NOT NULL AND c.fallen_memory IS DISTINCT FROM fallen),
        CASE WHEN fallen IS NOT NULL THEN (
            SELECT min(c.position)
            FROM chat.turns c
            WHERE c.user_id = owner AND c.character_ids = cast_ids AND c.position > place
              AND c.fallen_memory IS NULL) END,
        (SELECT CASE WHEN p.refused > place THEN p.refused ELSE p.refused + 1 END
         FROM memory.pairs p
         WHERE p.user_id = owner AND p.character_ids = cast_ids AND p.refused >= place))
    OFFSET 0; -- looked up once, however often the query names it
END;

-- When a turn is due whatever the count: its session ended or fell silent for `idle_after` after it,
-- or it is `flush_after` old. Only times of the conversation decide, so that a window ends where it
-- ends whenever a worker looks. `next_at` is when the next turn of its session began; without one the
-- session's own times count.
CREATE FUNCTION memory.due_at(
    created_at timestamptz, ended_at timestamptz, next_at timestamptz,
    session_active_at timestamptz, session_ends_at timestamptz,
    idle_after interval, flush_after interval
) RETURNS timestamptz LANGUAGE sql IMMUTABLE
    RETURN least(
        created_at + flush_after,
        session_ends_at,
        CASE WHEN next_at IS NULL THEN session_active_at + idle_after
             WHEN next_at >= ended_at + idle_after THEN ended_at + idle_after END);
GRANT EXECUTE ON FUNCTION memory.holding(text, uuid[], bigint)
    TO gieok_chat, gieok_memory_worker, gieok_retention_sweep;
GRANT EXECUTE ON FUNCTION memory.window_end(text, uuid[], bigint, uuid),
    memory.met_anew(text, uuid[], uuid, timestamptz),
    memory.due_at(timestamptz, timestamptz, timestamptz, timestamptz, timestamptz, interval, interval)
    TO gieok_memory_worker, gieok_retention_sweep;

CREATE TABLE memory.memory_characters (
    user_id text NOT NULL,
    character_id uuid NOT NULL,
    seq integer NOT NULL,
    memory_id uuid NOT NULL,
    importance smallint NOT NULL DEFAULT 1 CHECK (importance BETWEEN 1 AND 10),
    -- Neither muted nor invalidated.
    live boolean NOT NULL DEFAULT true,
    pinned boolean NOT NULL DEFAULT false,
    -- The seq that the sitting began with: what was said within two hours of each other.
    sitting integer NOT NULL,
    -- Whether it waits for no vector: it has one of the assigned model, or that one refuses its text.
    embedded boolean NOT NULL DEFAULT false,
    -- The model that last refused to embed what the memory says.
    refused_by text,
    -- What recall asks of a place, in the index, so that it reads no row.
    PRIMARY KEY (user_id, character_id, seq) INCLUDE (memory_id, sitting, pinned, live),
    FOREIGN KEY (user_id, memory_id) REFERENCES memory.memories ON DELETE CASCADE
);
-- An index alone answers for pages that a vacuum has seen: let it come while new rows are few.
ALTER TABLE memory.memory_characters
    SET (autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_vacuum_insert_threshold = 1000);
CREATE UNIQUE INDEX memory_characters_of_memory
    ON memory.memory_characters (user_id, memory_id, character_id);
CREATE INDEX memory_characters_by_importance
    ON memory.memory_characters (user_id, character_id, importance DESC, seq DESC) WHERE live;
-- What recall passes over.
CREATE INDEX memory_characters_resting ON memory.memory_characters (user_id, character_id, seq)
    WHERE NOT live;
CREATE INDEX memory_characters_to_embed ON memory.memory_characters (user_id, character_id)
    WHERE live AND NOT embedded;
-- The sweep finds memories without a vector, the operator those of each model.
CALL privacy.guard('memory.memory_characters',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE, DELETE',
                      'memory_worker: SELECT, INSERT, UPDATE, DELETE'],
    all_rows => ARRAY['retention_sweep: SELECT (user_id, character_id, seq, memory_id, live,
                       embedded)',
                      'operator: SELECT (user_id, character_id, seq, memory_id, live,
                       refused_by)']);

-- A relationship state is the newest version that stands. `body` holds the state, the quotes behind
-- it and the fields that the user holds. A recomputed version is what the others add up to after one
-- of them stood no more; its empty body is still to be made.
CREATE TABLE memory.relationship_versions (
    user_id text NOT NULL,
    character_id uuid NOT NULL,
    version integer NOT NULL,
    -- Part of the ciphertext's place.
    id uuid NOT NULL,
    body bytea NOT NULL,
    source text NOT NULL DEFAULT 'window'
        CHECK (source IN ('window', 'user', 'restored', 'recomputed')),
    -- The memory of the window that changed it.
    memory_id uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    invalidated_at timestamptz,
    -- The newest version when this one was lost.
    carried_through integer,
    PRIMARY KEY (user_id, character_id, version),
    FOREIGN KEY (user_id, memory_id) REFERENCES memory.memories ON DELETE SET NULL (memory_id)
);
CREATE INDEX relationship_versions_standing
    ON memory.relationship_versions (user_id, character_id, version DESC)
    WHERE invalidated_at IS NULL;
CREATE INDEX relationship_versions_lost
    ON memory.relationship_versions (user_id, character_id, carried_through)
    WHERE invalidated_at IS NOT NULL;
CREATE INDEX relationship_versions_to_make
    ON memory.relationship_versions (user_id, character_id) WHERE body = '';
CREATE INDEX relationship_versions_of_memory
    ON memory.relationship_versions (user_id, memory_id);
CALL privacy.guard('memory.relationship_versions',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE, DELETE',
                      'memory_worker: SELECT, INSERT, UPDATE, DELETE']);

-- A version that is lost tells up to where others carry on what it said.
CREATE FUNCTION memory.number_loss() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.carried_through := (
        SELECT max(version) FROM memory.relationship_versions
        WHERE user_id = NEW.user_id AND character_id = NEW.character_id);
    RETURN NEW;
END $$;
CREATE TRIGGER number_loss
    BEFORE UPDATE OF invalidated_at ON memory.relationship_versions
    FOR EACH ROW WHEN (OLD.invalidated_at IS NULL AND NEW.invalidated_at IS NOT NULL)
    EXECUTE FUNCTION memory.number_loss();

-- Whatever ends a relationship version that a later one carries on leaves an empty one on top, to be
-- made of the others before anybody shows the relationship (gieok.relationship.versions).
CREATE FUNCTION memory.mark_lost_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO memory.relationship_versions (id, user_id, character_id, version, body, source)
    SELECT gen_random_uuid(), lost.user_id, lost.character_id, 1 + newest.version, '', 'recomputed'
    FROM (SELECT e.user_id, e.character_id, min(e.version) AS oldest
          FROM ended e
          JOIN stood USING (user_id, character_id, version)
          WHERE e.invalidated_at IS NOT NULL AND stood.invalidated_at IS NULL
          GROUP BY e.user_id, e.character_id) AS lost
    CROSS JOIN LATERAL (
        SELECT r.version
        FROM memory.relationship_versions r
        WHERE r.user_id = lost.user_id AND r.character_id = lost.character_id
        ORDER BY r.version DESC
        LIMIT 1) AS newest
    WHERE EXISTS (SELECT FROM memory.relationship_versions r
                  WHERE r.user_id = lost.user_id AND r.character_id = lost.character_id
                    AND r.invalidated_at IS NULL AND r.version > lost.oldest);
    RETURN NULL;
END $$;
CREATE TRIGGER mark_lost_versions
    AFTER UPDATE ON memory.relationship_versions
    REFERENCING OLD TABLE AS stood NEW TABLE AS ended
    FOR EACH STATEMENT EXECUTE FUNCTION memory.mark_lost_versions();

-- `content` holds the subject's name, the text and the quote. A fact's subject is the user, the
-- character or somebody else; its reality is life or the story they tell each other.
CREATE TABLE memory.facts (
    user_id text NOT NULL,
    id uuid NOT NULL,
    character_id uuid NOT NULL,
    memory_id uuid NOT NULL,
    message_id uuid NOT NULL,
    category text NOT NULL,
    subject text NOT NULL CHECK (subject IN ('user', 'character', 'other')),
    reality text NOT NULL CHECK (reality IN ('real', 'story')),
    confidence real NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    content bytea NOT NULL,
    -- Keyed digest of what makes two facts the same: category, subject, reality, text.
    fingerprint bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    invalidated_at timestamptz,
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, memory_id) REFERENCES memory.memories ON DELETE CASCADE
);
CREATE UNIQUE INDEX facts_standing_once
    ON memory.facts (user_id, character_id, fingerprint) WHERE invalidated_at IS NULL;
CREATE INDEX facts_of_memory ON memory.facts (user_id, memory_id);
CALL privacy.guard('memory.facts',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE, DELETE',
                      'memory_worker: SELECT, INSERT, UPDATE, DELETE']);

-- A memory before each of its edits.
CREATE TABLE memory.memory_versions (
    user_id text NOT NULL,
    memory_id uuid NOT NULL,
    version integer NOT NULL,
    summary bytea NOT NULL,
    importance smallint NOT NULL,
    -- Until when this was what the memory said.
    replaced_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, memory_id, version),
    FOREIGN KEY (user_id, memory_id) REFERENCES memory.memories ON DELETE CASCADE
);
CALL privacy.guard('memory.memory_versions', own_rows => ARRAY['chat: SELECT, INSERT, DELETE']);
