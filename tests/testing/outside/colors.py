"""An enum whose members are used as defaults."""

import enum


class Color(enum.Enum):
    RED = 1
    BLUE = 2
