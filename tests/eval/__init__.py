"""Measured retrieval quality: data, loaders and runners of `make eval`."""
