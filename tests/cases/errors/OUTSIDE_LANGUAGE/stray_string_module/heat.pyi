"""The module."""

"""Nobody reads this."""
