-- What generation needs besides windows: gaps, fair hints, vectors made later, and the role of an
-- operator who replaces the embedding model.

-- Which turns after the cursor are in a memory that stands. Ends come first: nearly all memories end
-- before any turn that is asked about, and comparing casts is not done in an index under row security.
CREATE INDEX memories_by_end ON memory.memories (user_id, last_position)
    INCLUDE (character_ids, first_position) WHERE invalidated_at IS NULL;

-- The model that questions are embedded with, as it is at this moment: whoever writes vectors
-- holds off a change of model until its own transaction ends (see switch_embedding_model.sql).
CREATE FUNCTION memory.embedding_model() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(1835101292); -- "mbem": a change of model takes it alone
    RETURN (SELECT model FROM ops.llm_task_assignments WHERE task = 'EMBEDDING');
END $$;

-- The zone of the user's clock when the message was sent: relative dates are read in it.
ALTER TABLE chat.turns ADD COLUMN time_zone text;

-- Failed tries to make a pair's missing vectors, and when the next one may come.
ALTER TABLE memory.pairs
    ADD COLUMN backfill_failures integer NOT NULL DEFAULT 0,
    ADD COLUMN backfill_at timestamptz;

-- When the sweep last sent the worker a hint: what waits longest comes first.
CREATE TABLE ops.hints (
    user_id text NOT NULL,
    character_ids uuid[] NOT NULL,
    hinted_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, character_ids)
);
CREATE INDEX hints_by_age ON ops.hints (hinted_at);
ALTER TABLE ops.hints ENABLE ROW LEVEL SECURITY;
ALTER TABLE ops.hints FORCE ROW LEVEL SECURITY;
CREATE POLICY all_rows ON ops.hints TO gieok_retention_sweep USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON ops.hints TO gieok_retention_sweep;

-- The sweep tells what no window took from places alone: positions, never content.
GRANT SELECT (user_id, character_ids, first_position, last_position, invalidated_at)
    ON memory.memories TO gieok_retention_sweep;
GRANT SELECT (user_id, character_ids, first_position, last_position)
    ON ops.parked_windows TO gieok_retention_sweep;
GRANT UPDATE ON ops.parked_windows TO gieok_memory_worker;

-- An operator sees who has vectors of which model, and chooses the model; no content, no vector.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gieok_operator') THEN
        CREATE ROLE gieok_operator LOGIN NOSUPERUSER NOBYPASSRLS;
    END IF;
END $$;
GRANT USAGE ON SCHEMA memory, ops TO gieok_operator;
GRANT SELECT (user_id, character_id, seq, memory_id, live)
    ON memory.memory_characters TO gieok_operator;
GRANT SELECT (user_id, character_id, seq, model) ON memory.vectors TO gieok_operator;
GRANT SELECT, UPDATE ON ops.llm_task_assignments TO gieok_operator;

DO $$
DECLARE
    wanted record;
BEGIN
    FOR wanted IN SELECT * FROM (VALUES
        ('memory.memories'::regclass, 'gieok_retention_sweep'),
        ('ops.parked_windows', 'gieok_retention_sweep'),
        ('memory.memory_characters', 'gieok_operator'),
        ('memory.vectors', 'gieok_operator')) AS v (t, role_name)
    LOOP
        EXECUTE format(
            'CREATE POLICY all_rows_%s ON %s TO %I USING (true)',
            replace(wanted.role_name, 'gieok_', ''), wanted.t, wanted.role_name);
    END LOOP;
END $$;
