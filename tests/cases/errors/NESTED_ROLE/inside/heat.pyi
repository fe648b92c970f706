from codegen.schema import donated, dynamic, f32, static

class Grid:
    both: static[dynamic[int]]
    pair: dynamic[tuple[donated[f32], f32]]
