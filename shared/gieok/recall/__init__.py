"""Which memories a message brings to mind: the question, two legs, their fusion, and the reasons.

Both legs and their fusion are one query (`store/sql/memories/recall_memories.sql`); this room asks
it, reads its answer and steps down the ladder of fallbacks. Which of the recalled memories have
room in the prompt is not decided here but in `prompt`.

Others call: `fusion.reciprocal_rank_fusion`, `prepare.embed_question`, `preview.preview`,
`recall.recall`.
"""
