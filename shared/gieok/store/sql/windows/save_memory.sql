-- A window's memory, its place in each relationship and the moved cursor: all, or nothing when the
-- fence moved since it was read.
-- Kept: user_id text, character_ids uuid[], version bigint, memory_id uuid, first_position bigint,
--   last_position bigint, session_ids uuid[], summary bytea, details bytea, asked_as bytea,
--   importance smallint, digests integer[], impacts smallint[], models text[], vectors text[],
--   extractor text, prompt_version text, began_at timestamptz, happened_at timestamptz, sitting
--   interval, brief integer -> id uuid, worded bigint, embedded bigint
WITH fence AS (
    UPDATE memory.pairs
    SET version = version + 1,
        covered_through = %(last_position)s,
        next_seq = next_seq + 1,
        failures = 0, retry_at = NULL
    WHERE user_id = %(user_id)s AND character_ids = %(character_ids)s AND version = %(version)s
    RETURNING character_ids, next_seq - 1 AS seq
), singles AS (
    -- In a cast of several the seq comes from each character's own pair.
    UPDATE memory.pairs p
    SET next_seq = p.next_seq + 1
    FROM fence
    WHERE p.user_id = %(user_id)s AND cardinality(fence.character_ids) > 1
      AND p.character_ids IN (SELECT ARRAY[c] FROM unnest(%(character_ids)s) AS c)
      AND p.reset_through < %(first_position)s
    RETURNING p.character_ids, p.next_seq - 1 AS seq
), memory AS (
    INSERT INTO memory.memories
        (id, user_id, character_ids, first_position, last_position, session_ids, summary, details,
         asked_as, importance, extractor, prompt_version, began_at, happened_at)
    SELECT %(memory_id)s, %(user_id)s, %(character_ids)s, %(first_position)s, %(last_position)s,
           %(session_ids)s, %(summary)s, %(details)s, %(asked_as)s, %(importance)s, %(extractor)s,
           %(prompt_version)s, %(began_at)s, %(happened_at)s
    FROM fence
    RETURNING id
), places AS (
    INSERT INTO memory.memory_characters
        (user_id, character_id, seq, memory_id, importance, sitting, embedded)
    SELECT %(user_id)s, place.character_ids[1], place.seq, memory.id, %(importance)s,
           -- A memory of many words stands for itself: what lies beside it tells nothing of it.
           CASE WHEN cardinality(%(digests)s) > %(brief)s THEN -place.seq ELSE coalesce((
               SELECT before.sitting
               FROM memory.memory_characters before
               JOIN memory.memories b ON b.user_id = before.user_id AND b.id = before.memory_id
               WHERE before.user_id = %(user_id)s AND before.seq = place.seq - 1
                 AND before.character_id = place.character_ids[1] AND before.sitting > 0
                 AND b.happened_at BETWEEN %(happened_at)s - %(sitting)s
                                       AND %(happened_at)s + %(sitting)s), place.seq) END,
           coalesce((SELECT memory.embedding_model()) = ANY (%(models)s::text[]), false)
    FROM memory, (
        SELECT * FROM fence WHERE cardinality(character_ids) = 1
        UNION ALL
        SELECT * FROM singles
    ) AS place
    RETURNING character_id, seq
), worded AS (
    SELECT memory.put_postings(%(user_id)s, character_id, seq, %(digests)s, %(impacts)s)
    FROM places
), embedded AS (
    SELECT memory.put_vector(%(user_id)s, character_id, seq, v.model, v.embedding::halfvec)
    FROM places, unnest(%(models)s::text[], %(vectors)s::text[]) AS v (model, embedding)
)
SELECT id, (SELECT count(*) FROM worded), (SELECT count(*) FROM embedded) FROM memory
