from enum import IntEnum, StrEnum, auto

class Level(IntEnum):
    LOW = "low"
    HIGH = auto()

class Scheme(StrEnum):
    EXPLICIT = 1
