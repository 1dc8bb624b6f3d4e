"""What makes a memory findable: keyed digests of its words, and vectors of its text.

The same rules read a memory and a question, so that the two meet. Vectors that could not be made
are made later by `backfill`.
"""
