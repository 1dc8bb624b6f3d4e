"""Where a user and a character stand: the rules of it, its versions, and the user's corrections.

`rules` and `mention` are pure. `versions` writes a version and makes the empty ones that a loss
left; `corrections` is what users read, set and restore. No model is asked here: `extraction` reads
what a model proposes.

Others call: `corrections.correct`, `corrections.read_relationship`, `corrections.restore`,
`mention.mentions`, `rules.bounded`, `rules.clipped`, `rules.different`, `rules.speech_level`,
`rules.updated`, `versions.make_lost`, `versions.standing`.
"""
