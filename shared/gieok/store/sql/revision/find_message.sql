-- A raw message that is still kept, with its turn.
SELECT m.id, m.role, m.body, t.id AS turn_id, t.session_id, t.position, t.client_message_id,
       t.character_ids
FROM chat.messages m
JOIN chat.turns t ON t.user_id = m.user_id AND t.id = m.turn_id
WHERE m.id = %(message_id)s AND m.user_id = %(user_id)s
