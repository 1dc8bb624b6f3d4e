"""The chat prompt: its slots in order, within their budgets, untrusted text inside a fence.

Pure. Fixed text is in `packs`, one module a language.
"""
