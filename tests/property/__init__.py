"""Rules that hold for any input."""
