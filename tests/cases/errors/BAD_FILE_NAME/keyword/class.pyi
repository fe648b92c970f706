"""A keyword."""
