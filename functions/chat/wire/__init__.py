"""The JSON of requests and responses, and which of the engine's values become it, by topic."""
