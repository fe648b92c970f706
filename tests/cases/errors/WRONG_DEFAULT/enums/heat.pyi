from enum import Enum, Flag, IntEnum, StrEnum, auto

class Level(IntEnum):
    LOW = "low"
    HIGH = auto()

class Scheme(StrEnum):
    EXPLICIT = 1

class Kind(Enum):
    FIRST = auto()
    TEXT = "text"
    NUMBER = 3
    NEXT = auto()

class Same(Enum):
    ONE = 1
    YES = True
    FLOAT = 1.0
    PAIR = (1, "a")
    EQUAL = (True, "a")
    TEXT = "1"

class Counted(IntEnum):
    SECOND = 2
    THIRD = auto()
    LAST = 3

class Named(StrEnum):
    RED = auto()
    ROSE = "red"

class Bits(Flag):
    A = 4
    B = auto()
    C = 8
    ALL = 15
