"""Single pieces."""
