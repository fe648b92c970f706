"""An enum whose members are defaults."""

import enum


class Color(enum.Enum):
    RED = 1
    BLUE = 2
