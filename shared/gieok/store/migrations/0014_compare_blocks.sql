-- How far the nearest vector of a block is: cosine distance, null for an empty place and for no
-- question. Written out place by place, so that the planner puts it into the query that calls it
-- and no vector is taken out of its block to be compared.
DO $$ BEGIN
    EXECUTE (
        SELECT format(
            'CREATE FUNCTION memory.nearest(embeddings halfvec[], asked halfvec) RETURNS float8'
            ' LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN least(%s)',
            string_agg(format('embeddings[%s] <=> asked', place), ', ' ORDER BY place))
        FROM generate_series(1, memory.vectors_a_block()) AS place);
END $$;
