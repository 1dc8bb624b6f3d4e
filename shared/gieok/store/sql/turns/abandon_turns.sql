-- Turns that nobody answers any more give their session free: what was said stays, and so does an
-- answer from before. A dead process' turns, or those of a request that gives up.
-- Kept: user_id text, session_id uuid, outcome jsonb, runner uuid
UPDATE chat.turns t
SET state = CASE WHEN earlier.answered THEN 'done' ELSE 'failed' END,
    outcome = CASE WHEN earlier.answered THEN t.outcome ELSE %(outcome)s END,
    reroll_id = NULL
FROM (
    SELECT d.id, EXISTS (SELECT FROM chat.messages m
                         WHERE m.user_id = d.user_id AND m.turn_id = d.id
                           AND m.role = 'assistant') AS answered
    FROM chat.running_turns r
    JOIN chat.turns d ON d.user_id = r.user_id AND d.id = r.turn_id
    WHERE r.user_id = %(user_id)s AND r.session_id = %(session_id)s
      AND (d.lease_until < now() OR d.runner = %(runner)s)
) AS earlier
WHERE t.user_id = %(user_id)s AND t.id = earlier.id
