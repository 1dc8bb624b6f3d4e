-- The answer, its usage and the session's counters, once; nothing when the turn is not ours any more.
WITH finished AS (
    UPDATE chat.turns
    SET state = %(state)s, outcome = %(outcome)s
    WHERE id = %(turn_id)s AND user_id = %(user_id)s AND state = 'running'
    RETURNING id, session_id
), reply AS (
    INSERT INTO chat.messages
        (id, user_id, turn_id, role, character_id, body, model, finish_reason, fallback_used,
         prompt_tokens, completion_tokens, thoughts_tokens, total_tokens, latency_ms)
    SELECT %(reply_id)s, %(user_id)s, id, 'assistant', %(character_id)s, %(body)s, %(model)s,
           %(finish_reason)s, %(fallback_used)s, %(prompt_tokens)s, %(completion_tokens)s,
           %(thoughts_tokens)s, %(total_tokens)s, %(latency_ms)s
    FROM finished
    WHERE %(body)s::bytea IS NOT NULL
    RETURNING id
), session AS (
    UPDATE chat.sessions s
    SET message_count = s.message_count + 1 + (SELECT count(*) FROM reply),
        -- Null stays null until a provider reports; unknown is never zero.
        prompt_tokens = coalesce(s.prompt_tokens + %(prompt_tokens)s,
                                 s.prompt_tokens, %(prompt_tokens)s),
        completion_tokens = coalesce(s.completion_tokens + %(completion_tokens)s,
                                     s.completion_tokens, %(completion_tokens)s),
        total_tokens = coalesce(s.total_tokens + %(total_tokens)s,
                                s.total_tokens, %(total_tokens)s),
        last_active_at = now(),
        expires_at = now() + %(active_for)s
    FROM finished f
    WHERE s.id = f.session_id
)
SELECT t.id FROM chat.turns t
WHERE t.id IN (SELECT id FROM finished)
   -- A second run after a lost connection finds its own outcome in place.
   OR (t.id = %(turn_id)s AND t.user_id = %(user_id)s AND t.outcome = %(outcome)s)
