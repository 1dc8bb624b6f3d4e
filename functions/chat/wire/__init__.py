"""The JSON of requests and responses, and what of the engine becomes it: a module a topic."""
