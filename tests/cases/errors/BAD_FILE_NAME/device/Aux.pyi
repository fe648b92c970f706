"""A device of Windows."""
