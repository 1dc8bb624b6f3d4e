-- A user's wrapped data key; a row without one says that it was destroyed.
-- Kept: user_id text -> wrapped bytea
SELECT wrapped FROM privacy.user_keys WHERE user_id = %(user_id)s
