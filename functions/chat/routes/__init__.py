"""The operations of the API, one module for each noun.

The docstring of each operation is its description in the API document.
"""
