"""A user's own memories: list, read, search, look back, amend and delete them.

The room makes no memories (`generation` does) and chooses none for a prompt (`recall` does).

Others call: `amend.amend_memory`, `read.delete_memory`, `read.list_memories`, `read.read_history`,
`read.read_memory`, `search.search`.
"""
