"""Stand-ins for what we don't own: each is a real server that speaks the real protocol."""
