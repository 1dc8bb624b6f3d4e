-- Where a user stands with each character of a cast.
SELECT character_id, version, body
FROM memory.relationship_states
WHERE user_id = %(user_id)s AND character_id = ANY (%(character_ids)s)
