from enum import Enum

from codegen.schema import static

from .b import B

class Scheme(Enum):
    EXPLICIT = 1

class A:
    b: static[B] = B(scheme=Scheme.EXPLICIT)
