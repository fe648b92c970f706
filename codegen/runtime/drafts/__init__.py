"""Mutable twins of objects, for one trace."""
