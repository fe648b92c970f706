import enum
from enum import Enum, unique

@unique
class Scheme(str, Enum):
    EXPLICIT = "explicit"
    order: int = 3

    def method(self) -> int: ...

class Level(enum.IntEnum):
    LOW = 1
