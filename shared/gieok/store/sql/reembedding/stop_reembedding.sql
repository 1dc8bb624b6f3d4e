-- No next model any more: documents are embedded by the task's own alone.
UPDATE ops.llm_task_assignments
SET next_provider = NULL, next_model = NULL, next_parameters = '{}', updated_at = now()
WHERE task = 'EMBEDDING'
