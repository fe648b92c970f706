from enum import IntEnum

class Level(IntEnum):
    LOWEST = 1  # codegen: was[LOW]
    HIGH = 2
