"""A user's own memories: list, read, search, look back, amend, delete.

Making memories is `generation`, choosing them for a prompt is `recall`.
"""
