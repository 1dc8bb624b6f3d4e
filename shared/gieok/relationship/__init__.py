"""Where a user and a character stand: its rules, its versions, and the user's corrections.

`rules` and `mention` are pure. `versions` writes a version and makes the ones that a loss left
empty; `corrections` is what users read, set and restore.
"""
