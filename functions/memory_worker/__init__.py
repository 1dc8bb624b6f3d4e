"""The function of the memory worker."""
