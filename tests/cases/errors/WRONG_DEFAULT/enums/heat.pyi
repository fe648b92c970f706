from enum import Enum, IntEnum, StrEnum, auto

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
