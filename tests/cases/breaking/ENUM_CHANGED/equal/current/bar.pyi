from enum import Enum

class Scheme(Enum):
    X = 1.0
    Y = (-0.0, "y")
    Z = frozenset((2, 1))
