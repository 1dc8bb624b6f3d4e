-- Wrapped data keys, the models of each task, what provider calls cost, and what operators look after.
CREATE TABLE privacy.user_keys (
    user_id text PRIMARY KEY,
    -- Null once destroyed: then nothing of this user can be read again.
    wrapped bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    destroyed_at timestamptz,
    CHECK ((wrapped IS NULL) = (destroyed_at IS NOT NULL))
);
CALL privacy.guard('privacy.user_keys',
    own_rows => ARRAY['chat: SELECT, INSERT',
                      'memory_worker: SELECT']);

CREATE TABLE ops.llm_task_assignments (
    task text PRIMARY KEY CHECK (task IN ('CHAT', 'EXTRACTION', 'EMBEDDING', 'QUERY')),
    provider text NOT NULL,
    model text NOT NULL,
    parameters jsonb NOT NULL DEFAULT '{}',
    fallback_provider text,
    fallback_model text,
    fallback_parameters jsonb NOT NULL DEFAULT '{}',
    -- A model that is to take over a task's embeddings: documents are embedded by both until then.
    next_provider text,
    next_model text,
    next_parameters jsonb NOT NULL DEFAULT '{}',
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((fallback_provider IS NULL) = (fallback_model IS NULL)),
    CHECK ((next_provider IS NULL) = (next_model IS NULL)),
    CHECK (next_model IS NULL OR task = 'EMBEDDING')
);
GRANT SELECT ON ops.llm_task_assignments TO gieok_chat, gieok_memory_worker;
GRANT SELECT, UPDATE ON ops.llm_task_assignments TO gieok_operator;

-- The models of a new deployment; changed in the table, without a deploy.
INSERT INTO ops.llm_task_assignments
    (task, provider, model, parameters, fallback_provider, fallback_model)
VALUES
    ('CHAT', 'gemini', 'gemini-3.8-flash',
     '{"temperature": 0.9, "max_output_tokens": 2048, "thinking_level": "low"}',
     'gemini', 'gemini-3.5-flash'),
    ('EXTRACTION', 'gemini', 'gemini-3.8-flash',
     '{"temperature": 0.1, "max_output_tokens": 8192, "thinking_level": "low"}',
     'gemini', 'gemini-3.5-flash'),
    ('EMBEDDING', 'gemini', 'gemini-embedding-2', '{}', NULL, NULL),
    -- Asked only where the policy lets questions be rewritten: what counts is that it is fast.
    ('QUERY', 'gemini', 'gemini-3.5-flash',
     '{"temperature": 0.1, "max_output_tokens": 512, "thinking_budget": 0}', NULL, NULL);

-- The model that questions are embedded with, as it is at this moment: whoever writes vectors
-- holds off a change of model until its own transaction ends (see switch_embedding_model.sql).
CREATE FUNCTION memory.embedding_model() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(1835101292); -- "mbem": a change of model takes it alone
    RETURN (SELECT model FROM ops.llm_task_assignments WHERE task = 'EMBEDDING');
END $$;

-- One row for each provider call. Ids begin with their time (UUIDv7), so that this table can become
-- partitions by id, dropped whole.
CREATE TABLE ops.usage (
    user_id text NOT NULL,
    id uuid NOT NULL,
    task text NOT NULL,
    provider text NOT NULL,
    model text NOT NULL,
    prompt_tokens integer,
    completion_tokens integer,
    thoughts_tokens integer,
    total_tokens integer,
    latency_ms integer NOT NULL,
    outcome text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id)
);
CALL privacy.guard('ops.usage',
    own_rows => ARRAY['chat: SELECT (user_id, id), INSERT',
                      'memory_worker: SELECT (user_id, id), INSERT']);

-- Windows that failed too often, with the reason: an error's code and what it names, never content.
CREATE TABLE ops.parked_windows (
    user_id text NOT NULL,
    id uuid NOT NULL,
    character_ids uuid[] NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL,
    -- How many messages of the user it held.
    turns integer NOT NULL,
    reason text NOT NULL,
    attempts integer NOT NULL,
    parked_at timestamptz NOT NULL DEFAULT now(),
    -- An operator had it tried again; null once it was parked again.
    retried_at timestamptz,
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, character_ids, first_position)
);
CREATE INDEX parked_windows_by_id ON ops.parked_windows (id);
CALL privacy.guard('ops.parked_windows',
    own_rows => ARRAY['memory_worker: SELECT, INSERT, UPDATE'],
    all_rows => ARRAY['retention_sweep: SELECT (user_id, character_ids, first_position,
                       last_position, retried_at)',
                      'operator: SELECT, UPDATE (retried_at)']);

-- When the sweep last sent the worker a hint: what waits longest comes first.
CREATE TABLE ops.hints (
    user_id text NOT NULL,
    character_ids uuid[] NOT NULL,
    hinted_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, character_ids)
);
CREATE INDEX hints_by_age ON ops.hints (hinted_at);
CALL privacy.guard('ops.hints',
    all_rows => ARRAY['retention_sweep: SELECT, INSERT, UPDATE, DELETE']);
