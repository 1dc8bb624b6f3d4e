"""Whole processes, as they are run."""
