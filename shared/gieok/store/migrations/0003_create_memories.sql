-- The fence, the memories with their place in each relationship, and earlier texts of edited ones.

-- One row for each user and cast; a pair is a cast of one. `version` is the generation fence.
CREATE TABLE memory.pairs (
    user_id text NOT NULL,
    character_ids uuid[] NOT NULL CHECK (cardinality(character_ids) >= 1),
    next_seq integer NOT NULL DEFAULT 1,
    covered_through bigint NOT NULL DEFAULT 0,
    skipped_through bigint NOT NULL DEFAULT 0,
    -- What was said up to here never becomes this character's memory: the relationship was reset.
    reset_through bigint NOT NULL DEFAULT 0,
    -- Memories of before that reset are still to be removed: they have no place any more.
    removing boolean NOT NULL DEFAULT false,
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
CREATE INDEX pairs_removing ON memory.pairs (user_id, character_ids) WHERE removing;
CALL privacy.guard('memory.pairs',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE',
                      'memory_worker: SELECT, INSERT, UPDATE'],
    all_rows => ARRAY['retention_sweep: SELECT, UPDATE (removing)',
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
    all_rows => ARRAY['retention_sweep: SELECT (user_id, id, character_ids, first_position,
                       last_position, invalidated_at), DELETE',
                      'operator: SELECT (user_id, character_ids, first_position, last_position,
                       invalidated_at)']);

CREATE TABLE memory.memory_characters (
    user_id text NOT NULL,
    character_id uuid NOT NULL,
    seq integer NOT NULL,
    memory_id uuid NOT NULL,
    importance smallint NOT NULL DEFAULT 1 CHECK (importance BETWEEN 1 AND 10),
    -- Neither muted nor invalidated.
    live boolean NOT NULL DEFAULT true,
    pinned boolean NOT NULL DEFAULT false,
    -- The seq that the sitting began with: brief memories within two hours of each other. A memory that
    -- is not brief sits alone, by the negative of its seq.
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
