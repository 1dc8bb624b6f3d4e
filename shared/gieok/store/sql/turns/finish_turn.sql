-- The answer, its usage and the session's counters, once; an answer from before goes. Nothing when
-- the turn is not this request's any more.
-- Kept: user_id text, turn_id uuid, runner uuid, outcome jsonb, active_for interval, reply_id
--   uuid, character_id uuid, body bytea, model text, finish_reason text, fallback_used boolean,
--   latency_ms integer, prompt_tokens integer, completion_tokens integer, thoughts_tokens integer,
--   total_tokens integer -> id uuid
WITH finished AS (
    UPDATE chat.turns
    SET state = 'done', outcome = %(outcome)s
    WHERE id = %(turn_id)s AND user_id = %(user_id)s AND runner = %(runner)s
      AND state = 'running'
      -- A turn that may have become a memory with its earlier answer keeps that one.
      AND (reroll_id IS NULL OR lease_until > now())
    RETURNING id, session_id
), reply AS (
    INSERT INTO chat.messages
        (id, user_id, turn_id, role, character_id, body, model, finish_reason, fallback_used,
         prompt_tokens, completion_tokens, thoughts_tokens, total_tokens, latency_ms, forgotten)
    SELECT %(reply_id)s, %(user_id)s, id, 'assistant', %(character_id)s, %(body)s, %(model)s,
           %(finish_reason)s, %(fallback_used)s, %(prompt_tokens)s, %(completion_tokens)s,
           %(thoughts_tokens)s, %(total_tokens)s, %(latency_ms)s,
           -- What answers words whose memory the user deleted repeats them.
           EXISTS (SELECT FROM chat.messages m
                   WHERE m.user_id = %(user_id)s AND m.turn_id = finished.id AND m.role = 'user'
                     AND m.forgotten)
    FROM finished
    ON CONFLICT (user_id, turn_id, role) DO UPDATE
    SET id = excluded.id, character_id = excluded.character_id, body = excluded.body,
        model = excluded.model, finish_reason = excluded.finish_reason,
        fallback_used = excluded.fallback_used, prompt_tokens = excluded.prompt_tokens,
        completion_tokens = excluded.completion_tokens,
        thoughts_tokens = excluded.thoughts_tokens, total_tokens = excluded.total_tokens,
        latency_ms = excluded.latency_ms, created_at = excluded.created_at, edited_at = NULL,
        forgotten = excluded.forgotten
), session AS (
    UPDATE chat.sessions s
    SET message_count = s.message_count + CASE WHEN EXISTS (
            SELECT FROM chat.messages m
            WHERE m.user_id = s.user_id AND m.turn_id = f.id AND m.role = 'assistant') THEN 0 ELSE 1 END,
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
    WHERE s.user_id = %(user_id)s AND s.id = f.session_id
)
SELECT id FROM finished
UNION ALL
-- A second run after a lost connection finds its own outcome in place.
SELECT id FROM chat.turns
WHERE id = %(turn_id)s AND user_id = %(user_id)s AND runner = %(runner)s
  AND outcome = %(outcome)s
