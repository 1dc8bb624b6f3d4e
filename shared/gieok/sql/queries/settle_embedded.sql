-- Whether each of a user's memories has a vector, by the model that questions are embedded with.
UPDATE memory.memory_characters mc
SET embedded = NOT mc.embedded
FROM (SELECT memory.embedding_model() AS model) AS assigned
WHERE mc.user_id = %(user_id)s
  AND mc.embedded <> EXISTS (
      SELECT FROM memory.vectors v
      WHERE v.user_id = mc.user_id AND v.character_id = mc.character_id
        AND v.seq = mc.seq AND v.model = assigned.model)
