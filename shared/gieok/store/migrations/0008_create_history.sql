-- What a window leaves besides its memory, each with the window it came from: relationship
-- versions, facts; earlier texts of edited memories; windows that could not be read.

-- A relationship state is the newest version that stands. `body` holds the state, the quotes behind
-- it and the fields that the user holds. A recomputed version is what the others add up to after one
-- of them stood no more.
ALTER TABLE memory.relationship_states RENAME TO relationship_versions;
ALTER TABLE memory.relationship_versions RENAME COLUMN updated_at TO created_at;
ALTER TABLE memory.relationship_versions
    DROP CONSTRAINT relationship_states_pkey,
    ADD PRIMARY KEY (user_id, character_id, version),
    ADD COLUMN source text NOT NULL DEFAULT 'window'
        CHECK (source IN ('window', 'user', 'restored', 'recomputed')),
    -- Part of the ciphertext's place. Earlier states were bound to their character.
    ADD COLUMN id uuid,
    -- The memory of the window that changed it.
    ADD COLUMN memory_id uuid REFERENCES memory.memories ON DELETE SET NULL,
    ADD COLUMN invalidated_at timestamptz;
-- A forced policy would hide every row from the owner who migrates them.
ALTER TABLE memory.relationship_versions NO FORCE ROW LEVEL SECURITY;
UPDATE memory.relationship_versions SET id = character_id;
ALTER TABLE memory.relationship_versions FORCE ROW LEVEL SECURITY;
ALTER TABLE memory.relationship_versions ALTER COLUMN id SET NOT NULL;
CREATE INDEX relationship_versions_standing
    ON memory.relationship_versions (user_id, character_id, version DESC)
    WHERE invalidated_at IS NULL;
CREATE INDEX relationship_versions_of_memory ON memory.relationship_versions (memory_id);
GRANT INSERT, UPDATE, DELETE ON memory.relationship_versions TO gieok_chat;

-- `content` holds the subject's name and the text. A fact's subject is the user, the character or
-- somebody else; its reality is life or the story they tell each other.
CREATE TABLE memory.facts (
    id uuid PRIMARY KEY,
    user_id text NOT NULL,
    character_id uuid NOT NULL,
    memory_id uuid NOT NULL REFERENCES memory.memories ON DELETE CASCADE,
    message_id uuid NOT NULL,
    category text NOT NULL,
    subject text NOT NULL CHECK (subject IN ('user', 'character', 'other')),
    reality text NOT NULL CHECK (reality IN ('real', 'story')),
    confidence real NOT NULL CHECK (confidence BETWEEN 0 AND 1),
    content bytea NOT NULL,
    -- Keyed digest of what makes two facts the same: category, subject, reality, text.
    fingerprint bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    invalidated_at timestamptz
);
CREATE INDEX facts_of_pair ON memory.facts (user_id, character_id, id DESC);
CREATE UNIQUE INDEX facts_standing_once
    ON memory.facts (user_id, character_id, fingerprint) WHERE invalidated_at IS NULL;
CREATE INDEX facts_of_memory ON memory.facts (memory_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON memory.facts TO gieok_chat, gieok_memory_worker;

-- A memory before each of its edits.
CREATE TABLE memory.memory_versions (
    user_id text NOT NULL,
    memory_id uuid NOT NULL REFERENCES memory.memories ON DELETE CASCADE,
    version integer NOT NULL,
    summary bytea NOT NULL,
    importance smallint NOT NULL,
    -- Until when this was what the memory said.
    replaced_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (memory_id, version)
);
ALTER TABLE memory.memories ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE memory.memories ADD COLUMN edited_at timestamptz;
GRANT SELECT, INSERT, DELETE ON memory.memory_versions TO gieok_chat;

-- Failed tries of the window after the cursor, and when the next one may come.
ALTER TABLE memory.pairs
    ADD COLUMN failures integer NOT NULL DEFAULT 0,
    ADD COLUMN retry_at timestamptz;
CREATE TABLE ops.parked_windows (
    id uuid PRIMARY KEY,
    user_id text NOT NULL,
    character_ids uuid[] NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL,
    -- An error's code and its reason, which names fields and limits, never content.
    reason text NOT NULL,
    attempts integer NOT NULL,
    parked_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (user_id, character_ids, first_position)
);
GRANT SELECT, INSERT ON ops.parked_windows TO gieok_memory_worker;

-- A model that is to take over a task's embeddings: documents are embedded by both until then.
ALTER TABLE ops.llm_task_assignments
    ADD COLUMN next_provider text,
    ADD COLUMN next_model text,
    ADD COLUMN next_parameters jsonb NOT NULL DEFAULT '{}',
    ADD CHECK ((next_provider IS NULL) = (next_model IS NULL)),
    ADD CHECK (next_model IS NULL OR task = 'EMBEDDING');

DO $$
DECLARE
    t regclass;
BEGIN
    FOREACH t IN ARRAY ARRAY[
        'memory.facts', 'memory.memory_versions', 'ops.parked_windows']::regclass[]
    LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', t);
        EXECUTE format(
            'CREATE POLICY own_rows ON %s TO gieok_chat, gieok_memory_worker'
            ' USING (user_id = privacy.current_user_id())'
            ' WITH CHECK (user_id = privacy.current_user_id())', t);
    END LOOP;
END $$;
-- Taking turns back takes their messages along.
GRANT DELETE ON chat.messages TO gieok_chat;
GRANT SELECT, INSERT, UPDATE, DELETE ON memory.relationship_versions TO gieok_memory_worker;
