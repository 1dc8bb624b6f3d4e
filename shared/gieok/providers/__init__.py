"""The providers of language and embeddings: each speaks one protocol and raises only `ModelError`.

`router` asks the models of a task in their order and keeps what every call cost. Errors of SDKs are
re-raised `from None`, since their texts and tracebacks may quote a user's words. What to ask and
what to make of an answer is not decided here.

Others call: `gemini.Gemini`, `offline.extraction.extract`, `offline.provider.Offline`,
`offline.reply.reply`, `openai_compatible.OpenAICompatible`, `router.Models`.
"""
