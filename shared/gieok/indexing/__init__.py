"""What makes a memory findable: keyed digests of its words, and vectors of its texts.

A memory and a question are read by the same rules, so that the two meet. Vectors that could not be
made with their memory are made later by `backfill`. Nothing is searched here: `recall` and
`memories` ask the questions.

Others call: `backfill.add_vectors`, `backfill.backfill`, `backfill.open_documents`,
`backfill.refuse_vectors`, `content.embedded`, `content.indexed`, `embedding.embed_document`,
`embedding.embed_documents`, `embedding.mean`, `embedding.of_policy`, `keywords.index_terms`,
`keywords.query_digests`, `keywords.terms_of`.
"""
