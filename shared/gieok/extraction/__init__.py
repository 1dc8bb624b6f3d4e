"""What a model is asked about a window, and what of its answer stands.

Quotes must have been said, facts must rest on words, a summary must be of its window. Pure: no
store, no network, no model; `generation` does the asking.
"""
