"""The whole HTTP API, as one ASGI app."""
