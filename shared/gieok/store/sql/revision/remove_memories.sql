-- Some memories of a character that was reset, in order from one seq to another. One shared with another
-- character only loses its place here. Their index was dropped before.
WITH chosen AS MATERIALIZED (
    SELECT memory_id, seq
    FROM (SELECT set_config('gieok.index_dropped', 'on', true)) AS dropped
    CROSS JOIN LATERAL (
        SELECT memory_id, seq
        FROM memory.memory_characters
        WHERE user_id = %(user_id)s AND character_id = %(character_id)s
          AND seq > %(after)s AND seq <= %(newest)s
        ORDER BY seq
        LIMIT %(batch)s) AS places
), alone AS (
    DELETE FROM memory.memories m
    USING chosen
    WHERE m.user_id = %(user_id)s AND m.id = chosen.memory_id
      AND NOT EXISTS (SELECT FROM memory.memory_characters o
                      WHERE o.user_id = m.user_id AND o.memory_id = m.id
                        AND o.character_id <> %(character_id)s)
    RETURNING m.id
), shared AS (
    DELETE FROM memory.memory_characters mc
    USING chosen
    WHERE mc.user_id = %(user_id)s AND mc.character_id = %(character_id)s
      AND mc.memory_id = chosen.memory_id AND mc.memory_id NOT IN (SELECT id FROM alone)
)
SELECT max(seq) AS last FROM chosen
