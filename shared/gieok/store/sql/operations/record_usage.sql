-- One provider call: ids, counts and an outcome.
-- Kept: calls jsonb
INSERT INTO ops.usage
    (id, user_id, task, provider, model, prompt_tokens, completion_tokens, thoughts_tokens,
     total_tokens, latency_ms, outcome)
SELECT * FROM jsonb_to_recordset(%(calls)s) AS c(
    id uuid, user_id text, task text, provider text, model text, prompt_tokens integer,
    completion_tokens integer, thoughts_tokens integer, total_tokens integer, latency_ms integer,
    outcome text)
ON CONFLICT (user_id, id) DO NOTHING
