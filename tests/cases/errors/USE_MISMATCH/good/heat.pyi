from codegen.schema import donated, f32, static

class Grid(use="static"):
    nx: static[int]

class Plate(use="dynamic"):
    u: donated[f32]

class Model(abstract=True, use="dynamic"): ...
