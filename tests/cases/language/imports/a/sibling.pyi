from enum import Enum

from codegen.schema import Dim

n = Dim()

class Kind(Enum):
    ONE = 1

class Sibling: ...
