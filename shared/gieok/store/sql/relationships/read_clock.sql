-- The time by the clock that dates messages: what was said before a correction is told from later words.
SELECT now() AS now
