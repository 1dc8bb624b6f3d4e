"""A user's own memories: list, read, search, look back, amend and delete them.

The room makes no memories (`generation` does) and chooses none for a prompt (`recall` does).

Others call: `amend.amend_memory`, `delete.delete_memory`, `history.read_history`,
`read.list_memories`, `read.read_memory`, `search.search`.
"""
