from codegen.schema import dynamic, f32, static

class Grid:
    flags: static[set[int]]
    data: dynamic[set[f32]]
