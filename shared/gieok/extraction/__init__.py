"""What a model is asked about a window of turns, and what of its answer stands.

Quotes must have been said, facts must rest on words, and a summary must be of its window. The
room is pure: it has no store, no network and no model. `generation` asks the model and saves what
stands.

Others call: `answer.in_words_that_were_said`, `answer.read`, `answer.shortcomings`,
`facts.fingerprint`, `request.repair_request`, `request.request`.
"""
