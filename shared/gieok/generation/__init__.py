"""The memory worker: one memory for each window of turns that no memory covers yet.

The room decides which window is due, has it extracted and embedded, and saves it behind the fence.
What a model must answer and what of it stands is decided by `extraction`, where user and character
stand by `relationship`; nothing here speaks to the user.

Others call: `generate.generate`, `hints.hint`, `hints.hint_reopened`, `hints.once_settled`.
"""
