"""The provider that needs no model: replies and extraction by transparent rules, real vectors.

It is right about little rather than wrong about much, and says that it is no model.
"""
