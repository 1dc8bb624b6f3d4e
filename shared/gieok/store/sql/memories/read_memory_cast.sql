-- Whose memory it is, also when it fell and is being made anew.
SELECT character_ids FROM memory.memories WHERE id = %(memory_id)s AND user_id = %(user_id)s
