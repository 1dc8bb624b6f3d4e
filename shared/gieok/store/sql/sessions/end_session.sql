-- Close a conversation, which expires with that; ending it again changes nothing.
UPDATE chat.sessions
SET status = 'archived', expires_at = least(expires_at, now())
WHERE id = %(session_id)s AND user_id = %(user_id)s AND status = 'active'
RETURNING id
