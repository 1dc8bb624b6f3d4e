-- The conversation of a turn, locked so that turns of one session are claimed one after another; and
-- how many turns of other sessions of the user are being answered.
-- Kept: user_id text, session_id uuid -> id uuid, character_ids uuid[], open boolean, others bigint
SELECT id, character_ids, status = 'active' AND expires_at > now() AS open,
       chat.answering_elsewhere(user_id, id) AS others
FROM chat.sessions
WHERE id = %(session_id)s AND user_id = %(user_id)s
FOR UPDATE
