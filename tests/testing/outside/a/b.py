"""A type with the same name as one in another module."""

import enum


class Thing(enum.Enum):
    ONE = 1
    TWO = 2
