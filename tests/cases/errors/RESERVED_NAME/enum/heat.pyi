from enum import Enum, IntEnum, IntFlag, StrEnum

class Scheme(Enum):
    mro = 1
    _ignore_ = 2
    name = 3

class Case(StrEnum):
    upper = "upper"
    lower_ = "lower"
    name = "name"

class Part(IntEnum):
    real = 1

class Bits(IntFlag):
    is_integer = 1
