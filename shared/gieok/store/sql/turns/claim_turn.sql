-- Begin a turn: one per client message id, one at a time per session. One that was never answered
-- begins again. Without a time zone it is in that of the user's newest turn.
-- Kept: user_id text, session_id uuid, turn_id uuid, character_ids uuid[], client_message_id text,
--   time_zone text, lease interval, most_running integer -> id uuid, time_zone text
WITH session AS (
    SELECT s.id, s.user_id, s.character_ids, s.last_number,
           coalesce(%(time_zone)s, chat.newest_time_zone(%(user_id)s)) AS time_zone
    FROM chat.sessions s
    WHERE s.id = %(session_id)s AND s.user_id = %(user_id)s
      AND (%(character_ids)s::uuid[] = '{}' OR s.character_ids = %(character_ids)s::uuid[])
      AND s.status = 'active' AND s.expires_at > now()
      AND chat.answering_elsewhere(s.user_id, s.id) < %(most_running)s
      -- An id that was given to a request to answer again is no other one's.
      AND NOT EXISTS (
          SELECT FROM chat.rerolls k
          WHERE k.user_id = s.user_id AND k.reroll_id = %(client_message_id)s)
      AND NOT EXISTS (
          SELECT FROM chat.running_turns r
          WHERE r.user_id = s.user_id AND r.session_id = s.id
            AND r.turn_id IS DISTINCT FROM (
                SELECT c.turn_id FROM chat.client_messages c
                WHERE c.user_id = %(user_id)s AND c.client_message_id = %(client_message_id)s))
), message AS (
    -- Of those who bring the same message at once, the first one's turn is everybody's.
    INSERT INTO chat.client_messages AS c (user_id, client_message_id, turn_id)
    SELECT user_id, %(client_message_id)s, %(turn_id)s FROM session
    ON CONFLICT (user_id, client_message_id) DO UPDATE SET turn_id = c.turn_id
    RETURNING turn_id
), begun AS (
    INSERT INTO chat.turns
        (id, user_id, session_id, character_ids, client_message_id, number, lease_until, runner,
         time_zone)
    SELECT message.turn_id, user_id, id, character_ids, %(client_message_id)s, last_number + 1,
           now() + %(lease)s, %(turn_id)s, session.time_zone
    FROM session CROSS JOIN message
    WHERE message.turn_id = %(turn_id)s
    -- A second run after a lost connection finds its own claim, or begins it again.
    ON CONFLICT (user_id, id) DO UPDATE
        SET state = 'running', lease_until = excluded.lease_until
        WHERE chat.turns.state <> 'done'
    RETURNING id, time_zone
), again AS (
    UPDATE chat.turns t
    SET state = 'running', lease_until = now() + %(lease)s, runner = %(turn_id)s, reroll_id = NULL,
        time_zone = coalesce(%(time_zone)s, t.time_zone, s.time_zone),
        number = CASE WHEN t.number = s.last_number THEN t.number ELSE s.last_number + 1 END
    FROM session s CROSS JOIN message
    WHERE t.user_id = s.user_id AND t.id = message.turn_id AND t.id <> %(turn_id)s
      AND t.session_id = s.id
      AND (t.state = 'failed' OR (t.state = 'running' AND t.runner = %(turn_id)s))
    RETURNING t.id, t.time_zone
)
SELECT id, time_zone FROM begun
UNION ALL
SELECT id, time_zone FROM again
