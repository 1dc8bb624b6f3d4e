"""Adapters against servers that speak their protocols."""
