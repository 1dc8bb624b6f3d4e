-- What the user said, before any model is asked.
INSERT INTO chat.messages (id, user_id, turn_id, role, body)
VALUES (%(message_id)s, %(user_id)s, %(turn_id)s, 'user', %(body)s)
ON CONFLICT (turn_id, role) DO NOTHING
