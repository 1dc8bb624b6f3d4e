"""The Gieok memory engine: one package shared by every function."""
