"""Names of values in the names of tests: the same in every process that runs some of them.

named(object())                   # "object"
named(frozenset({"b", "a"}))      # "frozenset"
named(1.0)                        # "1.0"
"""

from __future__ import annotations

import re

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def named(value: object) -> str:
    """The value's own text, without what differs from process to process."""
    text = repr(value)
    # The order in a set follows the hashes of its items.
    return type(value).__name__ if "{" in text or _ADDRESS.search(text) else text
