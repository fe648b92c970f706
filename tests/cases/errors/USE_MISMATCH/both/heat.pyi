from codegen.schema import donated, f32, static

class Base:
    u: donated[f32]

class Grid(Base, use="static"):
    nx: static[int]

class Plate(use="dynamic"):
    nx: static[int]
