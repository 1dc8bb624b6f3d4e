-- Vectors of each model.
SELECT model, count(*) AS vectors FROM memory.vectors GROUP BY model ORDER BY model
