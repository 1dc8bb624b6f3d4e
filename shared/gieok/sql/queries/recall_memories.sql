-- What a question brings back, best first, and why.
SELECT *
FROM memory.recall(
    %(user_id)s, %(character_ids)s, %(vector)s, %(embedding_model)s, %(digests)s::bigint[],
    %(weights)s::float8[], %(budget)s, %(overfetch)s, %(fusion)s, %(keyword_share)s, %(rrf_k)s,
    %(context)s::float8[], %(half_life)s, %(decay_floor)s, %(important_from)s, %(reserved)s,
    %(limit)s)
