from enum import Enum

class Scheme(Enum):
    mro = 1
    _ignore_ = 2
    name = 3
