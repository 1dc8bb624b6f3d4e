"""The retention sweep: what happens by the clock and without a model.

It hints windows that nobody asked for, ends idle sessions and purges raw messages past their time.
It has no keys and no models, so it can read nothing of what it removes.
"""
