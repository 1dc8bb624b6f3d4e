-- Under row security a comparison of arrays is never an index condition (it is not leakproof), so the
-- index of a scope's turns was read for all that a user has. By position only the late ones are.
DROP INDEX chat.turns_of_scope;
CREATE INDEX turns_of_user ON chat.turns (user_id, position);
-- Row security asks for the user in every query: with it in the index, a session's turns are found
-- by their key alone, in order.
DROP INDEX chat.turns_of_session;
CREATE INDEX turns_of_session ON chat.turns (session_id, user_id, position DESC);
-- Of the few turns that were answered again, and nothing to find all turns of a user by.
DROP INDEX chat.turns_by_reroll;
CREATE UNIQUE INDEX turns_by_reroll ON chat.turns (user_id, reroll_id) WHERE reroll_id IS NOT NULL;
