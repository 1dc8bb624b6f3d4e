-- From now on documents are embedded by the next model too; nothing while another one is under way.
UPDATE ops.llm_task_assignments
SET next_provider = %(provider)s, next_model = %(model)s, next_parameters = '{}', updated_at = now()
WHERE task = 'EMBEDDING' AND model <> %(model)s
  AND (next_model IS NULL OR (next_provider, next_model) = (%(provider)s, %(model)s))
RETURNING next_model
