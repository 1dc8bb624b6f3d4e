"""Stand-ins for what we don't own: each a real server speaking the real protocol."""
