-- The fence, the memories with their place in each relationship, and relationship state.

-- One row per user × cast; a pair is a cast of one. `version` is the generation fence.
CREATE TABLE memory.pairs (
    user_id text NOT NULL,
    character_ids uuid[] NOT NULL CHECK (cardinality(character_ids) >= 1),
    next_seq integer NOT NULL DEFAULT 1,
    covered_through bigint NOT NULL DEFAULT 0,
    skipped_through bigint NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, character_ids)
);

DO $$
BEGIN
    EXECUTE format($ddl$
        CREATE TABLE memory.memories (
            id uuid PRIMARY KEY,
            user_id text NOT NULL,
            character_ids uuid[] NOT NULL,
            first_position bigint NOT NULL,
            last_position bigint NOT NULL,
            session_ids uuid[] NOT NULL,
            summary bytea NOT NULL,
            details bytea NOT NULL,
            importance smallint NOT NULL CHECK (importance BETWEEN 1 AND 10),
            -- Keyed digests of search terms, never words; null when the window gave none.
            keywords tsvector,
            embedding halfvec(%s),
            embedding_model text,
            extractor text NOT NULL,
            prompt_version text NOT NULL,
            happened_at timestamptz NOT NULL,
            created_at timestamptz NOT NULL DEFAULT now(),
            pinned_at timestamptz,
            muted_at timestamptz,
            invalidated_at timestamptz,
            CHECK ((embedding IS NULL) = (embedding_model IS NULL))
        )$ddl$, current_setting('gieok.vector_width'));
END $$;
-- Vectors stay in the row: fetched from TOAST an exact scan costs 3.5 times as much.
ALTER TABLE memory.memories ALTER COLUMN embedding SET STORAGE PLAIN;
ALTER TABLE memory.memories ALTER COLUMN summary SET STORAGE EXTERNAL;
ALTER TABLE memory.memories ALTER COLUMN details SET STORAGE EXTERNAL;
-- One memory per window, whatever the queue and the lock did.
CREATE UNIQUE INDEX memories_one_per_window
    ON memory.memories (user_id, character_ids, first_position) WHERE invalidated_at IS NULL;
CREATE INDEX memories_of_user ON memory.memories (user_id, id DESC);
-- Digests are keyed per user, so one index serves all and mixes none.
CREATE INDEX memories_by_keyword ON memory.memories USING gin (keywords);

CREATE TABLE memory.memory_characters (
    user_id text NOT NULL,
    character_id uuid NOT NULL,
    seq integer NOT NULL,
    memory_id uuid NOT NULL REFERENCES memory.memories ON DELETE CASCADE,
    PRIMARY KEY (user_id, character_id, seq) INCLUDE (memory_id)
);
CREATE UNIQUE INDEX memory_characters_of_memory
    ON memory.memory_characters (memory_id, character_id);

CREATE TABLE memory.relationship_states (
    user_id text NOT NULL,
    character_id uuid NOT NULL,
    version integer NOT NULL,
    body bytea NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, character_id)
);

GRANT SELECT ON memory.pairs, memory.memories, memory.memory_characters, memory.relationship_states
    TO gieok_chat;
GRANT DELETE ON memory.memories TO gieok_chat;
GRANT SELECT, INSERT, UPDATE
    ON memory.pairs, memory.memories, memory.memory_characters, memory.relationship_states
    TO gieok_memory_worker;
GRANT SELECT ON memory.pairs TO gieok_retention_sweep;
