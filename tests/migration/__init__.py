"""The schema and every query on it."""
