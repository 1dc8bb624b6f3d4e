-- Whether each of a user's memories has a vector of the model that questions are embedded with, or can
-- have none.
UPDATE memory.memory_characters mc
SET embedded = NOT mc.embedded
FROM (SELECT memory.embedding_model() AS model) AS assigned
WHERE mc.user_id = %(user_id)s
  AND mc.embedded <> (
      coalesce(mc.refused_by = assigned.model, false)
      OR EXISTS (
          SELECT FROM memory.vector_blocks v
          WHERE v.user_id = mc.user_id AND v.character_id = mc.character_id
            AND v.model = assigned.model AND v.block = mc.seq / memory.vectors_a_block()
            AND memory.holds(v.held, mc.seq)))
