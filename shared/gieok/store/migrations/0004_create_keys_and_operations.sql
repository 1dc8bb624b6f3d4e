-- Wrapped data keys, the models of each task, and what provider calls cost.
CREATE TABLE privacy.user_keys (
    user_id text PRIMARY KEY,
    -- Null once destroyed: then nothing of this user can be read again.
    wrapped bytea,
    created_at timestamptz NOT NULL DEFAULT now(),
    destroyed_at timestamptz,
    CHECK ((wrapped IS NULL) = (destroyed_at IS NOT NULL))
);

CREATE TABLE ops.llm_task_assignments (
    task text PRIMARY KEY CHECK (task IN ('CHAT', 'EXTRACTION', 'SUMMARY', 'EMBEDDING')),
    provider text NOT NULL,
    model text NOT NULL,
    parameters jsonb NOT NULL DEFAULT '{}',
    fallback_provider text,
    fallback_model text,
    fallback_parameters jsonb NOT NULL DEFAULT '{}',
    updated_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((fallback_provider IS NULL) = (fallback_model IS NULL))
);

CREATE TABLE ops.usage (
    id uuid PRIMARY KEY,
    user_id text NOT NULL,
    task text NOT NULL,
    provider text NOT NULL,
    model text NOT NULL,
    prompt_tokens integer,
    completion_tokens integer,
    thoughts_tokens integer,
    total_tokens integer,
    latency_ms integer NOT NULL,
    outcome text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX usage_by_time ON ops.usage (created_at);

GRANT SELECT, INSERT ON privacy.user_keys TO gieok_chat;
GRANT SELECT ON privacy.user_keys TO gieok_memory_worker;
GRANT SELECT ON ops.llm_task_assignments TO gieok_chat, gieok_memory_worker;
GRANT SELECT (id), INSERT ON ops.usage TO gieok_chat, gieok_memory_worker;
