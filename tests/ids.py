"""Ids of parameters in test names, the same in every test process.

named(object())                   # "object"
named(frozenset({"b", "a"}))      # "frozenset"
named(1.0)                        # "1.0"
"""

from __future__ import annotations

import re

_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def named(value: object) -> str:
    """Return the text of a value without parts that differ between processes."""
    text = repr(value)
    # The order of a set depends on the hashes of its items.
    return type(value).__name__ if "{" in text or _ADDRESS.search(text) else text
