"""Schedule → sweep."""
