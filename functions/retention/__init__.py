"""The function of the retention sweep."""
