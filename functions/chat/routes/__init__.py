"""Routes by noun."""
