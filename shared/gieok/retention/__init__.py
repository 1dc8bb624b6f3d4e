"""The retention sweep: what happens by the clock and without a model.

The sweep sends hints for windows that nobody asked for, ends idle sessions and purges raw messages
when their time is over. It has no keys and no models, so it can read nothing of what it removes.

Others call: `removal.remove`, `sweep.sweep`.
"""
