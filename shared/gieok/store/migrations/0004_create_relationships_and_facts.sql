-- What a window leaves besides its memory: versions of the relationship, and facts.

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
