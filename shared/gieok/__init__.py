"""The Gieok memory engine: one package shared by every function."""

__version__ = "0.1.0"
