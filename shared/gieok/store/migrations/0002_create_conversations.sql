-- Characters, sessions, turns and their messages. Everything that a user wrote is ciphertext.
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
GRANT SELECT ON chat.characters TO gieok_chat, gieok_memory_worker;

CREATE TABLE chat.sessions (
    user_id text NOT NULL,
    id uuid NOT NULL,
    character_ids uuid[] NOT NULL CHECK (cardinality(character_ids) >= 1),
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'archived', 'expired')),
    message_count integer NOT NULL DEFAULT 0,
    -- The newest turn's number: numbers neither repeat after a purge nor count what was taken back.
    last_number integer NOT NULL DEFAULT 0,
    -- Sums of what providers reported; null until one of them did.
    prompt_tokens bigint,
    completion_tokens bigint,
    total_tokens bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_active_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, id)
);
CREATE INDEX sessions_to_expire ON chat.sessions (expires_at) WHERE status = 'active';
CALL privacy.guard('chat.sessions',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE, DELETE',
                      'memory_worker: SELECT'],
    all_rows => ARRAY['retention_sweep: SELECT, UPDATE (status)']);

-- One user message and its answer: the unit of idempotency, of order and of memory windows. Ids begin
-- with their time (UUIDv7), so that this table and its messages can become partitions by id, dropped
-- whole. What must be unique otherwise is so in the small tables below.
CREATE TABLE chat.turns (
    user_id text NOT NULL,
    id uuid NOT NULL,
    session_id uuid NOT NULL,
    character_ids uuid[] NOT NULL,
    client_message_id text NOT NULL,
    -- Order over all sessions of a user; a scope's cursors point at it.
    position bigint GENERATED ALWAYS AS IDENTITY,
    number integer NOT NULL,
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'failed')),
    -- A turn that still runs after this died with its process.
    lease_until timestamptz NOT NULL,
    -- The request that answers it; only that one may end it.
    runner uuid,
    -- The events as they were sent, less their text: ids, counts and codes only.
    outcome jsonb,
    -- A keyed digest of what came with the client message id: it never comes with another text.
    message_digest bytea,
    -- The client's id of the request that last had it answered again.
    reroll_id text,
    -- Done with before the cursor stepped back past it (covered, skipped, parked), or its memory was
    -- deleted by the user. Only a change of the turn itself opens it again; after a deletion, only new
    -- words of the user's.
    closed boolean NOT NULL DEFAULT false,
    -- The memory of it that fell, muted or with an importance of the user's: both are to hold for the
    -- one that is made in its place, of the turns that name the same.
    fallen_memory uuid,
    -- The zone of the user's clock when the message was sent: relative dates are read in it.
    time_zone text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (user_id, id),
    FOREIGN KEY (user_id, session_id) REFERENCES chat.sessions ON DELETE CASCADE
);
-- Under row security a comparison of arrays is never an index condition (it is not leakproof): by
-- position only the late turns of a user are read, by cast all of them would be.
CREATE INDEX turns_of_user ON chat.turns (user_id, position);
-- Row security asks for the user in every query: with it in the index, a session's turns are found
-- by their key alone, in order.
CREATE INDEX turns_of_session ON chat.turns (session_id, user_id, position DESC);
CREATE INDEX turns_closed ON chat.turns (user_id, character_ids, position) WHERE closed;
CREATE INDEX turns_of_fallen_memories ON chat.turns (user_id, position)
    WHERE fallen_memory IS NOT NULL;
CREATE INDEX turns_by_age ON chat.turns (created_at);
-- The zone of a user's clock as their newest turn has it, which is nearly always the newest of all.
CREATE FUNCTION chat.newest_time_zone(owner text) RETURNS text LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT t.time_zone
    FROM chat.turns t
    WHERE t.user_id = owner AND t.time_zone IS NOT NULL
    ORDER BY t.position DESC
    LIMIT 1;
END;
GRANT EXECUTE ON FUNCTION chat.newest_time_zone(text) TO gieok_chat;
CALL privacy.guard('chat.turns',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE, DELETE',
                      'memory_worker: SELECT'],
    all_rows => ARRAY['retention_sweep: SELECT, DELETE',
                      'operator: SELECT (id, user_id, character_ids, position, closed), UPDATE
                       (closed)']);

-- One turn for each message that a client named.
CREATE TABLE chat.client_messages (
    user_id text NOT NULL,
    client_message_id text NOT NULL,
    turn_id uuid NOT NULL,
    PRIMARY KEY (user_id, client_message_id)
);
CALL privacy.guard('chat.client_messages',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE, DELETE'],
    all_rows => ARRAY['retention_sweep: SELECT, DELETE']);

-- One turn for each request to answer again.
CREATE TABLE chat.rerolls (
    user_id text NOT NULL,
    reroll_id text NOT NULL,
    turn_id uuid NOT NULL,
    PRIMARY KEY (user_id, reroll_id)
);
CALL privacy.guard('chat.rerolls',
    own_rows => ARRAY['chat: SELECT, INSERT, DELETE'],
    all_rows => ARRAY['retention_sweep: SELECT, DELETE']);

-- One running turn for each session.
CREATE TABLE chat.running_turns (
    user_id text NOT NULL,
    session_id uuid NOT NULL,
    turn_id uuid NOT NULL,
    PRIMARY KEY (user_id, session_id)
);
CALL privacy.guard('chat.running_turns',
    own_rows => ARRAY['chat: SELECT, INSERT, DELETE'],
    all_rows => ARRAY['retention_sweep: SELECT, DELETE']);

-- Whatever begins or ends a turn, or has it answered again, keeps the small tables: a second running
-- turn of a session, or a second turn of a reroll, violates their keys.
CREATE FUNCTION chat.keep_turn_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND OLD.state = 'running' AND NEW.state <> 'running' THEN
        DELETE FROM chat.running_turns
        WHERE user_id = NEW.user_id AND session_id = NEW.session_id AND turn_id = NEW.id;
    ELSIF NEW.state = 'running' AND (TG_OP = 'INSERT' OR OLD.state <> 'running') THEN
        INSERT INTO chat.running_turns (user_id, session_id, turn_id)
        VALUES (NEW.user_id, NEW.session_id, NEW.id);
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.reroll_id IS DISTINCT FROM NEW.reroll_id THEN
        DELETE FROM chat.rerolls WHERE user_id = OLD.user_id AND reroll_id = OLD.reroll_id;
        INSERT INTO chat.rerolls (user_id, reroll_id, turn_id)
        SELECT NEW.user_id, NEW.reroll_id, NEW.id WHERE NEW.reroll_id IS NOT NULL;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER keep_turn_keys
    AFTER INSERT OR UPDATE OF state, reroll_id ON chat.turns
    FOR EACH ROW EXECUTE FUNCTION chat.keep_turn_keys();

-- Turns that go take their keys along, all of one statement at once: a purge removes thousands, and
-- foreign keys would ask three times for each of them. They would also bind what is to be dropped
-- whole. Each key is looked up, however few the tables held when the plan was made: a join of another
-- kind reads a whole index.
CREATE FUNCTION chat.drop_turn_keys() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    DELETE FROM chat.client_messages k
    USING gone
    WHERE k.user_id = gone.user_id AND k.client_message_id = gone.client_message_id
      AND k.turn_id = gone.id;
    DELETE FROM chat.rerolls k
    USING gone
    WHERE k.user_id = gone.user_id AND k.reroll_id = gone.reroll_id AND k.turn_id = gone.id;
    DELETE FROM chat.running_turns k
    USING gone
    WHERE gone.state = 'running' AND k.user_id = gone.user_id
      AND k.session_id = gone.session_id AND k.turn_id = gone.id;
    RETURN NULL;
END $$;
CREATE TRIGGER drop_turn_keys
    AFTER DELETE ON chat.turns REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION chat.drop_turn_keys();

-- Whether a session of a user answers a message right now, other than by the turn `own`.
CREATE FUNCTION chat.answering(owner text, session uuid, own uuid) RETURNS boolean
    LANGUAGE sql STABLE
    RETURN EXISTS (SELECT FROM chat.running_turns r
                   JOIN chat.turns t ON t.user_id = r.user_id AND t.id = r.turn_id
                   WHERE r.user_id = owner AND r.session_id = session AND t.lease_until > now()
                     AND t.id IS DISTINCT FROM own);
GRANT EXECUTE ON FUNCTION chat.answering(text, uuid, uuid) TO gieok_chat;

-- How many turns of a user's other sessions are being answered right now.
CREATE FUNCTION chat.answering_elsewhere(owner text, session uuid) RETURNS bigint
    LANGUAGE sql STABLE
    RETURN (SELECT count(*) FROM chat.running_turns r
            JOIN chat.turns t ON t.user_id = r.user_id AND t.id = r.turn_id
            WHERE r.user_id = owner AND r.session_id <> session AND t.lease_until > now());
GRANT EXECUTE ON FUNCTION chat.answering_elsewhere(text, uuid) TO gieok_chat;

CREATE TABLE chat.messages (
    user_id text NOT NULL,
    turn_id uuid NOT NULL,
    role text NOT NULL CHECK (role IN ('user', 'assistant', 'system')),
    id uuid NOT NULL,
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
    edited_at timestamptz,
    -- The user deleted the memory of these words: they never become one again.
    forgotten boolean NOT NULL DEFAULT false,
    PRIMARY KEY (user_id, turn_id, role),
    FOREIGN KEY (user_id, turn_id) REFERENCES chat.turns ON DELETE CASCADE
);
ALTER TABLE chat.messages ALTER COLUMN body SET STORAGE EXTERNAL; -- ciphertext does not compress
CREATE INDEX messages_by_id ON chat.messages (user_id, id);
CALL privacy.guard('chat.messages',
    own_rows => ARRAY['chat: SELECT, INSERT, UPDATE, DELETE',
                      'memory_worker: SELECT'],
    all_rows => ARRAY['retention_sweep: SELECT (id, user_id, turn_id, role, created_at), DELETE',
                      'operator: SELECT (user_id, turn_id, role, created_at, edited_at, forgotten)']);
