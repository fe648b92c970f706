"""Mixins. The `__init__` of one is the constructor, but property tests create objects from their fields."""

from typing import Any


class Made:
    def __init__(self, *_: Any) -> None:
        raise NotImplementedError


class Plain: ...
