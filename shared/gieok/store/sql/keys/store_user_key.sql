-- A user's first data key; whoever comes second uses the first one's.
INSERT INTO privacy.user_keys (user_id, wrapped)
VALUES (%(user_id)s, %(wrapped)s)
ON CONFLICT (user_id) DO NOTHING
