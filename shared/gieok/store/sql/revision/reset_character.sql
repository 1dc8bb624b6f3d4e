-- What one character and the user had alone, but for their memories: conversations, facts,
-- relationship. That memories are still to be removed is noted for whoever has to go on.
WITH sessions AS (
    DELETE FROM chat.sessions
    WHERE user_id = %(user_id)s AND character_ids = ARRAY[%(character_id)s::uuid]
), facts AS (
    DELETE FROM memory.facts WHERE user_id = %(user_id)s AND character_id = %(character_id)s
), states AS (
    DELETE FROM memory.relationship_versions
    WHERE user_id = %(user_id)s AND character_id = %(character_id)s
)
UPDATE memory.pairs p
SET removing = true,
    reset_through = greatest(p.reset_through, coalesce(
        (SELECT max(t.position) FROM chat.turns t
         WHERE t.user_id = %(user_id)s AND %(character_id)s = ANY (t.character_ids)), 0))
WHERE p.user_id = %(user_id)s AND p.character_ids = ARRAY[%(character_id)s::uuid]
RETURNING p.user_id, %(character_id)s::uuid AS character_id, p.version
