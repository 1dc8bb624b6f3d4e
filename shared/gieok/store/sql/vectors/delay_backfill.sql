-- When missing vectors of a cast's pairs may be tried again; a success sets both back.
UPDATE memory.pairs
SET backfill_failures = CASE WHEN %(failed)s THEN backfill_failures + 1 ELSE 0 END,
    backfill_at = CASE WHEN %(failed)s THEN
        %(now)s + least(%(first)s * power(%(growth)s, least(backfill_failures, 10)), %(longest)s) END
WHERE user_id = %(user_id)s
  AND character_ids IN (SELECT ARRAY[c] FROM unnest(%(character_ids)s) AS c)
