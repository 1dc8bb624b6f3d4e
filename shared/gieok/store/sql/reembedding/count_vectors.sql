-- Vectors of each model.
SELECT model, sum(bit_count(held::bit(64)))::bigint AS vectors
FROM memory.vector_blocks
GROUP BY model
ORDER BY model
