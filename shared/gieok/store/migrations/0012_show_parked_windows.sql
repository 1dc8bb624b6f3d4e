-- What an operator is shown, and may have tried again: windows that were parked, and texts that a
-- model refuses to embed.

ALTER TABLE ops.parked_windows
    -- How many messages of the user it held; unknown of earlier ones.
    ADD COLUMN turns integer,
    -- An operator had it tried again; null once it was parked again.
    ADD COLUMN retried_at timestamptz;
GRANT SELECT (retried_at) ON ops.parked_windows TO gieok_retention_sweep;

-- The model that last refused to embed what the memory says.
ALTER TABLE memory.memory_characters ADD COLUMN refused_by text;
COMMENT ON COLUMN memory.memory_characters.embedded IS
    'Whether it waits for no vector: it has one of the assigned model, or that one refuses its text.';

-- Places, counts and reasons of everybody's windows; what is needed to open one again; no content.
GRANT USAGE ON SCHEMA chat TO gieok_operator;
GRANT SELECT, UPDATE (retried_at) ON ops.parked_windows TO gieok_operator;
GRANT SELECT (id, user_id, character_ids, position, closed), UPDATE (closed)
    ON chat.turns TO gieok_operator;
GRANT SELECT (user_id, turn_id, role, created_at, edited_at) ON chat.messages TO gieok_operator;
GRANT SELECT (user_id, character_ids, first_position, last_position, invalidated_at)
    ON memory.memories TO gieok_operator;
GRANT SELECT (user_id, character_ids, covered_through, skipped_through, version, failures, retry_at,
              reset_through),
      UPDATE (covered_through, skipped_through, version, failures, retry_at)
    ON memory.pairs TO gieok_operator;
GRANT SELECT (refused_by) ON memory.memory_characters TO gieok_operator;

DO $$
DECLARE
    t regclass;
BEGIN
    FOREACH t IN ARRAY ARRAY['ops.parked_windows', 'chat.turns', 'chat.messages', 'memory.memories',
                             'memory.pairs']::regclass[]
    LOOP
        EXECUTE format('CREATE POLICY all_rows_operator ON %s TO gieok_operator USING (true)', t);
    END LOOP;
END $$;
