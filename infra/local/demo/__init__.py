"""The demonstration: it replays long conversations over HTTP, then asks about them in a new
session."""
