"""Functions that donate, field by field, and what stands where a call has taken an array."""

from .functions import DonatingFunction

__all__ = ["DonatingFunction"]
