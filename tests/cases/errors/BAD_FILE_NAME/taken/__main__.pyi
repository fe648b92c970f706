"""A name of Python's own."""
