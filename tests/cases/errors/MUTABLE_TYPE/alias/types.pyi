"""A long module, so that places in it are none in the other.

The report points at the name of the alias, where it is used.
"""

Sizes = tuple[list[int], ...]
