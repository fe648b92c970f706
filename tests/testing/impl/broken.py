"""What the function of the classes that the tests break runs: nothing."""

from typing import Any


def nothing(lost: Any, taken: Any) -> None:
    """Take both, and return nothing."""
