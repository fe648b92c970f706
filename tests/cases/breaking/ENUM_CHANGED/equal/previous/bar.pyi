from enum import Enum

class Scheme(Enum):
    X = 1
    Y = (0.0, "y")
    Z = frozenset((1, 2))
