-- Turns that are taken back, edited, answered again, or begun a second time.

-- The newest turn's number: numbers neither repeat after a purge nor count what was taken back.
ALTER TABLE chat.sessions ADD COLUMN last_number integer NOT NULL DEFAULT 0;
-- A forced policy would hide every row from the owner who migrates them.
ALTER TABLE chat.sessions NO FORCE ROW LEVEL SECURITY;
ALTER TABLE chat.turns NO FORCE ROW LEVEL SECURITY;
UPDATE chat.sessions s
SET last_number = coalesce((SELECT max(number) FROM chat.turns t WHERE t.session_id = s.id), 0);
ALTER TABLE chat.sessions FORCE ROW LEVEL SECURITY;
ALTER TABLE chat.turns FORCE ROW LEVEL SECURITY;

ALTER TABLE chat.turns
    -- The request that answers it; only that one may end it.
    ADD COLUMN runner uuid,
    -- A keyed digest of what came with the client message id: it never comes with another text.
    ADD COLUMN message_digest bytea,
    -- The client's id of the request that last had it answered again.
    ADD COLUMN reroll_id text,
    -- Done with before the cursor stepped back past it: covered, skipped, parked, or its memory
    -- deleted by the user. Only a change of the turn itself opens it again.
    ADD COLUMN closed boolean NOT NULL DEFAULT false;
CREATE INDEX turns_closed ON chat.turns (user_id, character_ids, position) WHERE closed;
CREATE UNIQUE INDEX turns_by_reroll ON chat.turns (user_id, reroll_id);

ALTER TABLE chat.messages ADD COLUMN edited_at timestamptz;

-- What was said up to here never becomes this character's memory: the relationship was reset.
ALTER TABLE memory.pairs ADD COLUMN reset_through bigint NOT NULL DEFAULT 0;
-- Raising a fence that is not there yet makes it, so that a first extraction in flight meets it.
GRANT INSERT ON memory.pairs TO gieok_chat;

-- A transaction that removes a pair whole drops its postings first, at once.
DROP TRIGGER keep_postings ON memory.memory_characters;
CREATE TRIGGER keep_postings
    AFTER INSERT OR DELETE OR UPDATE OF live, digests, impacts ON memory.memory_characters
    FOR EACH ROW WHEN (current_setting('gieok.postings_dropped', true) IS DISTINCT FROM 'on')
    EXECUTE FUNCTION memory.keep_postings();

-- Whether a session answers a message right now, other than by the turn `own`.
CREATE FUNCTION chat.answering(session uuid, own uuid) RETURNS boolean
    LANGUAGE sql STABLE
    RETURN EXISTS (SELECT FROM chat.turns t
                   WHERE t.session_id = session AND t.state = 'running' AND t.lease_until > now()
                     AND t.id IS DISTINCT FROM own);
GRANT EXECUTE ON FUNCTION chat.answering(uuid, uuid) TO gieok_chat;
