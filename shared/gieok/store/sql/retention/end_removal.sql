-- A reset has removed all, if no other one began meanwhile.
UPDATE memory.pairs
SET removing = false
WHERE user_id = %(user_id)s AND character_ids = ARRAY[%(character_id)s::uuid]
  AND version = %(version)s
