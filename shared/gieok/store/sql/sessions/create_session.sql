-- A new conversation, if its whole cast exists and the message is not a repeated one; and the cursor
-- of its cast, by which other conversations find what was said in this one.
-- Kept: user_id text, session_id uuid, character_ids uuid[], client_message_id text, active_for
--   interval
WITH opened AS (
    INSERT INTO chat.sessions (id, user_id, character_ids, expires_at)
    SELECT %(session_id)s, %(user_id)s, %(character_ids)s, now() + %(active_for)s
    WHERE (SELECT count(*) FROM chat.characters WHERE id = ANY (%(character_ids)s))
          = cardinality(%(character_ids)s)
      AND NOT EXISTS (
          SELECT FROM chat.client_messages
          WHERE user_id = %(user_id)s AND client_message_id = %(client_message_id)s)
    ON CONFLICT (user_id, id) DO NOTHING
    RETURNING user_id, character_ids
)
INSERT INTO memory.pairs (user_id, character_ids)
SELECT user_id, character_ids FROM opened
ON CONFLICT (user_id, character_ids) DO NOTHING
