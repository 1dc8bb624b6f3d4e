-- All that one character and the user had alone: conversations, memories, facts, relationship. A
-- memory shared with another character only loses its place here.
WITH sessions AS (
    DELETE FROM chat.sessions
    WHERE user_id = %(user_id)s AND character_ids = ARRAY[%(character_id)s::uuid]
), facts AS (
    DELETE FROM memory.facts WHERE user_id = %(user_id)s AND character_id = %(character_id)s
), states AS (
    DELETE FROM memory.relationship_versions
    WHERE user_id = %(user_id)s AND character_id = %(character_id)s
), alone AS (
    DELETE FROM memory.memories m
    USING memory.memory_characters mc
    WHERE m.user_id = %(user_id)s AND mc.user_id = m.user_id AND mc.memory_id = m.id
      AND mc.character_id = %(character_id)s
      AND NOT EXISTS (SELECT FROM memory.memory_characters o
                      WHERE o.user_id = m.user_id AND o.memory_id = m.id
                        AND o.character_id <> mc.character_id)
    RETURNING m.id
), shared AS (
    DELETE FROM memory.memory_characters
    WHERE user_id = %(user_id)s AND character_id = %(character_id)s
      AND memory_id NOT IN (SELECT id FROM alone)
)
UPDATE memory.pairs p
SET reset_through = greatest(p.reset_through, coalesce(
        (SELECT max(t.position) FROM chat.turns t
         WHERE t.user_id = %(user_id)s AND %(character_id)s = ANY (t.character_ids)), 0))
WHERE p.user_id = %(user_id)s AND p.character_ids = ARRAY[%(character_id)s::uuid]
