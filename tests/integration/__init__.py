"""Use cases and HTTP on real services."""
