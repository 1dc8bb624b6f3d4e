-- When missing vectors of a cast's pairs may be tried again; a success sets both back.
UPDATE memory.pairs
SET refill_failures = CASE WHEN %(failed)s THEN refill_failures + 1 ELSE 0 END,
    refill_at = CASE WHEN %(failed)s THEN
        %(now)s + least(%(first)s * power(%(growth)s, least(refill_failures, 10)), %(longest)s) END
WHERE user_id = %(user_id)s
  AND character_ids IN (SELECT ARRAY[c] FROM unnest(%(character_ids)s) AS c)
