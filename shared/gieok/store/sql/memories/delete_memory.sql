-- One memory, with its vector, its digests and its place in every relationship, and those that fell
-- before it of the same turns. The words that it was made of never become one again; whoever reads
-- some of them at this moment is superseded. The pairs are locked. One that fell is not deleted once
-- another one stands for its turns: that is the one to delete.
WITH gone AS (
    DELETE FROM memory.memories m
    WHERE m.id = %(memory_id)s AND m.user_id = %(user_id)s
      AND (m.invalidated_at IS NULL
           OR NOT EXISTS (SELECT FROM memory.memories o
                          WHERE o.user_id = m.user_id AND o.character_ids = m.character_ids
                            AND o.invalidated_at IS NULL
                            AND o.last_position >= m.first_position
                            AND o.first_position <= m.last_position))
    RETURNING id, user_id, character_ids, first_position, last_position, created_at
), fallen AS (
    DELETE FROM memory.memories m
    USING gone
    WHERE m.user_id = gone.user_id AND m.character_ids = gone.character_ids
      AND m.invalidated_at IS NOT NULL AND m.id <> gone.id
      AND m.last_position >= gone.first_position AND m.first_position <= gone.last_position
), told AS (
    -- What the user wrote anew since is not in it. An answer goes with the words that it answers.
    SELECT m.turn_id, m.role
    FROM gone
    JOIN chat.turns t ON t.user_id = gone.user_id AND t.character_ids = gone.character_ids
        AND t.position BETWEEN gone.first_position AND gone.last_position
    JOIN chat.messages m ON m.user_id = t.user_id AND m.turn_id = t.id
    WHERE EXISTS (SELECT FROM chat.messages o
                  WHERE o.user_id = m.user_id AND o.turn_id = m.turn_id
                    AND o.role IN ('user', m.role)
                    AND greatest(o.created_at, o.edited_at) <= gone.created_at)
), forgotten AS (
    UPDATE chat.messages m
    SET forgotten = true
    FROM told
    WHERE m.user_id = %(user_id)s AND m.turn_id = told.turn_id AND m.role = told.role
), closed AS (
    UPDATE chat.turns t
    SET closed = true, fallen_memory = NULL
    FROM told
    WHERE t.user_id = %(user_id)s AND t.id = told.turn_id AND told.role = 'user'
), fence AS (
    UPDATE memory.pairs p
    SET version = p.version + 1
    FROM gone
    WHERE p.user_id = gone.user_id AND p.character_ids = gone.character_ids
)
SELECT id FROM gone
