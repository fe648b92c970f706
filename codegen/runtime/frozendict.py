"""The immutable mapping that may be a static value."""

from .statics.frozendict import frozendict

__all__ = ["frozendict"]
