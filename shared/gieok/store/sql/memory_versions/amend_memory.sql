-- What a user changes of a memory, with what it said before; nothing when another version stands.
WITH amended AS (
    UPDATE memory.memories
    SET summary = coalesce(%(summary)s, summary),
        details = coalesce(%(details)s, details),
        -- Allusions to the old words are no way to find the new ones.
        asked_as = CASE WHEN %(summary)s::bytea IS NULL THEN asked_as END,
        importance = %(importance)s,
        pinned_at = CASE WHEN coalesce(%(pinned)s, pinned_at IS NOT NULL)
                         THEN coalesce(pinned_at, now()) END,
        muted_at = CASE WHEN coalesce(%(muted)s, muted_at IS NOT NULL)
                        THEN coalesce(muted_at, now()) END,
        reworded_at = CASE WHEN %(reworded)s THEN now() ELSE reworded_at END,
        weighed_at = CASE WHEN %(weighed)s THEN now() ELSE weighed_at END,
        version = version + CASE WHEN %(edited)s THEN 1 ELSE 0 END,
        edited_at = CASE WHEN %(edited)s THEN now() ELSE edited_at END
    WHERE id = %(memory_id)s AND user_id = %(user_id)s AND version = %(version)s
      AND invalidated_at IS NULL
    RETURNING id, user_id
), kept AS (
    INSERT INTO memory.memory_versions (user_id, memory_id, version, summary, importance)
    SELECT user_id, id, %(version)s, %(earlier_summary)s, %(earlier_importance)s
    FROM amended
    WHERE %(edited)s
)
SELECT id FROM amended
