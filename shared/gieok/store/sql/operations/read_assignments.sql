-- The models of every task.
SELECT task, provider, model, parameters, fallback_provider, fallback_model, fallback_parameters,
       next_provider, next_model, next_parameters
FROM ops.llm_task_assignments
