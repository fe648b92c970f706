"""The implementation for classes that the tests break."""

from typing import Any


def nothing(lost: Any, taken: Any) -> None:
    """Use both, and return nothing."""
