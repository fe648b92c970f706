from codegen.schema import static

from .b import B

class A:
    n: static[int] = 1

class Below(B): ...
