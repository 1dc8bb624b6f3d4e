"""The providers of language and embeddings: each speaks one protocol and raises only `ModelError`.

Foreign errors are re-raised `from None`: their texts and tracebacks may quote a user's words.
"""
