-- The models of a new deployment; changed in the table, without a deploy.
INSERT INTO ops.llm_task_assignments
    (task, provider, model, parameters, fallback_provider, fallback_model)
VALUES
    ('CHAT', 'gemini', 'gemini-3.8-flash',
     '{"temperature": 0.9, "max_output_tokens": 2048, "thinking_level": "low"}',
     'gemini', 'gemini-3.5-flash'),
    ('EXTRACTION', 'gemini', 'gemini-3.8-flash',
     '{"temperature": 0.1, "max_output_tokens": 8192, "thinking_level": "low"}',
     'gemini', 'gemini-3.5-flash'),
    ('SUMMARY', 'gemini', 'gemini-3.8-flash',
     '{"temperature": 0.1, "max_output_tokens": 2048, "thinking_level": "low"}',
     'gemini', 'gemini-3.5-flash'),
    ('EMBEDDING', 'gemini', 'gemini-embedding-2', '{}', NULL, NULL);
