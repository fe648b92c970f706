"""A mixin whose `__init__` is the constructor. Property tests create objects from their fields."""

from typing import Any


class Made:
    def __init__(self, *_: Any) -> None:
        raise NotImplementedError
