-- The next model takes over, if no more live memories lack its vector than those that cannot have
-- one; lock_embedding_model came before.
UPDATE ops.llm_task_assignments
SET provider = next_provider, model = next_model, parameters = next_parameters,
    next_provider = NULL, next_model = NULL, next_parameters = '{}', updated_at = now()
WHERE task = 'EMBEDDING' AND next_model = %(model)s
  AND (SELECT count(DISTINCT mc.memory_id)
       FROM memory.memory_characters mc
       WHERE mc.live
         AND NOT EXISTS (
             SELECT FROM memory.vector_blocks v
             WHERE v.user_id = mc.user_id AND v.character_id = mc.character_id
               AND v.model = %(model)s AND v.block = mc.seq / memory.vectors_a_block()
               AND memory.holds(v.held, mc.seq))) <= %(allowed)s
RETURNING model
