"""Which memories a message brings to mind: the question, two legs, their fusion, and why.

The ranking itself is one query (`recall_memories.sql`); this room asks it, reads its answer and
steps down the ladder of fallbacks. What of it the prompt shows is `prompt`.
"""
