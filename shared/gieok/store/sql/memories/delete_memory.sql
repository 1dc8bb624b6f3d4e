-- One memory, with its vector, its digests and its place in every relationship.
DELETE FROM memory.memories
WHERE id = %(memory_id)s AND user_id = %(user_id)s
RETURNING id
