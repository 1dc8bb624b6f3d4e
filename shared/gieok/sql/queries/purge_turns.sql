-- Raw messages past their time, some at once; `lost` ones were never summarised.
WITH due AS (
    SELECT t.id, t.position > coalesce(greatest(p.covered_through, p.skipped_through), 0) AS lost
    FROM chat.turns t
    LEFT JOIN memory.pairs p ON p.user_id = t.user_id AND p.character_ids = t.character_ids
    WHERE t.created_at < now() - %(keep)s
      AND (SELECT pg_try_advisory_xact_lock(%(lock_key)s))
    ORDER BY t.created_at
    LIMIT %(batch)s
), gone AS (
    DELETE FROM chat.turns WHERE id IN (SELECT id FROM due)
)
SELECT count(*) AS purged, count(*) FILTER (WHERE lost) AS lost FROM due
