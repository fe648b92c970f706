from codegen.schema import dynamic, f32, static

class Grid:
    nx: static[int]

class Stretched(Grid):
    ratio: dynamic[f32] = 1.0
