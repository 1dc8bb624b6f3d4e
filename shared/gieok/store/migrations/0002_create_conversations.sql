-- Characters, sessions, turns and their messages. Everything a user wrote is ciphertext.
CREATE TABLE chat.characters (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    persona text NOT NULL,
    greeting text NOT NULL DEFAULT '',
    speech_rules text NOT NULL DEFAULT '',
    fallback_line text NOT NULL,
    locale text NOT NULL DEFAULT 'ko',
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE chat.sessions (
    id uuid PRIMARY KEY,
    user_id text NOT NULL,
    character_ids uuid[] NOT NULL CHECK (cardinality(character_ids) >= 1),
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived', 'expired')),
    message_count integer NOT NULL DEFAULT 0,
    -- Sums of what providers reported; null until one of them did.
    prompt_tokens bigint,
    completion_tokens bigint,
    total_tokens bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_active_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_of_user ON chat.sessions (user_id, id DESC);
CREATE INDEX sessions_to_expire ON chat.sessions (expires_at) WHERE status = 'active';

-- One user message and its answer: the unit of idempotency, of order and of memory windows.
CREATE TABLE chat.turns (
    id uuid PRIMARY KEY,
    user_id text NOT NULL,
    session_id uuid NOT NULL REFERENCES chat.sessions ON DELETE CASCADE,
    character_ids uuid[] NOT NULL,
    client_message_id text NOT NULL,
    -- Order over all sessions of a user; a scope's cursors point at it.
    position bigint GENERATED ALWAYS AS IDENTITY,
    number integer NOT NULL,
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'failed')),
    -- A turn that still runs after this died with its process.
    lease_until timestamptz NOT NULL,
    -- The events as they were sent, less their text: ids, counts and codes only.
    outcome jsonb,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (user_id, client_message_id)
);
CREATE UNIQUE INDEX turns_running ON chat.turns (session_id) WHERE state = 'running';
CREATE INDEX turns_of_scope ON chat.turns (user_id, character_ids, position);
CREATE INDEX turns_of_session ON chat.turns (session_id, position DESC);
CREATE INDEX turns_by_age ON chat.turns (created_at);

CREATE TABLE chat.messages (
    id uuid PRIMARY KEY,
    user_id text NOT NULL,
    turn_id uuid NOT NULL REFERENCES chat.turns ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('user', 'assistant', 'system')),
    -- The character who speaks; null for the user.
    character_id uuid,
    body bytea NOT NULL,
    model text,
    finish_reason text,
    fallback_used boolean NOT NULL DEFAULT false,
    prompt_tokens integer,
    completion_tokens integer,
    thoughts_tokens integer,
    total_tokens integer,
    latency_ms integer,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (turn_id, role)
);
ALTER TABLE chat.messages ALTER COLUMN body SET STORAGE EXTERNAL; -- ciphertext does not compress

GRANT SELECT ON chat.characters TO gieok_chat, gieok_memory_worker;
GRANT SELECT, INSERT, UPDATE ON chat.sessions, chat.turns, chat.messages TO gieok_chat;
GRANT DELETE ON chat.sessions, chat.turns TO gieok_chat;
GRANT SELECT ON chat.sessions, chat.turns, chat.messages TO gieok_memory_worker;
GRANT SELECT, UPDATE (status) ON chat.sessions TO gieok_retention_sweep;
GRANT SELECT, DELETE ON chat.turns TO gieok_retention_sweep;
GRANT SELECT (id, user_id, turn_id, role, created_at), DELETE ON chat.messages TO gieok_retention_sweep;
