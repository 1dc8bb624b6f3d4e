-- Whether a search meets a memory without a vector of a model, less one whose text the model refuses.
SELECT EXISTS (
    SELECT
    FROM memory.memory_characters mc
    JOIN memory.memories m ON m.id = mc.memory_id AND m.user_id = mc.user_id
    WHERE mc.user_id = %(user_id)s AND m.invalidated_at IS NULL
      AND (%(character_id)s::uuid IS NULL OR mc.character_id = %(character_id)s)
      AND (%(session_id)s::uuid IS NULL OR %(session_id)s = ANY (m.session_ids))
      AND mc.refused_by IS DISTINCT FROM %(embedding_model)s
      AND NOT EXISTS (
          SELECT FROM memory.vector_blocks v
          WHERE v.user_id = mc.user_id AND v.character_id = mc.character_id
            AND v.model = %(embedding_model)s AND v.block = mc.seq / memory.vectors_a_block()
            AND memory.holds(v.held, mc.seq))) AS missing
