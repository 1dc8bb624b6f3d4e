-- Characters by id, in the order asked for; all of them, by name, when none is named.
SELECT id, name, persona, greeting, speech_rules, fallback_line, locale
FROM chat.characters
WHERE %(character_ids)s::uuid[] IS NULL OR id = ANY (%(character_ids)s)
ORDER BY array_position(%(character_ids)s::uuid[], id), name, id
