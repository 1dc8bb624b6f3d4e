-- A turn by the client's id of its message, or of the request to answer it again; where both were sent
-- at once, what is asked for.
-- Kept: user_id text, client_message_id text, again boolean -> id uuid, session_id uuid,
--   character_ids uuid[], "position" bigint, state text, outcome jsonb, message_digest bytea, dead
--   boolean, by_reroll boolean, reply_id uuid, reply_body bytea
WITH named AS (
    SELECT turn_id, by_reroll
    FROM (
        SELECT turn_id, false AS by_reroll FROM chat.client_messages
        WHERE user_id = %(user_id)s AND client_message_id = %(client_message_id)s
        UNION ALL
        SELECT turn_id, true FROM chat.rerolls
        WHERE user_id = %(user_id)s AND reroll_id = %(client_message_id)s) AS either
    ORDER BY by_reroll <> %(again)s
    LIMIT 1
)
SELECT t.id, t.session_id, t.character_ids, t.position, t.state, t.outcome, t.message_digest,
       t.state = 'running' AND t.lease_until < now() AS dead, named.by_reroll,
       r.id AS reply_id, r.body AS reply_body
FROM named
CROSS JOIN LATERAL (
    SELECT * FROM chat.turns WHERE user_id = %(user_id)s AND id = named.turn_id OFFSET 0
) AS t
LEFT JOIN chat.messages r
    ON r.user_id = t.user_id AND r.turn_id = t.id AND r.role = 'assistant'
