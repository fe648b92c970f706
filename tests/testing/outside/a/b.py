"""A type of a name that another module has too."""

import enum


class Thing(enum.Enum):
    ONE = 1
    TWO = 2
