"""The demonstration: replay long conversations over HTTP, then ask about them in a new session."""
