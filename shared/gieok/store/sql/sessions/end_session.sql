-- Close a conversation; ending it again changes nothing.
UPDATE chat.sessions
SET status = 'archived'
WHERE id = %(session_id)s AND user_id = %(user_id)s AND status = 'active'
RETURNING id
