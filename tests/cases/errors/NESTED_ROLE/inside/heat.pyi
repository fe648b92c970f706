from codegen.schema import donated, dynamic, f32

class Grid:
    pair: dynamic[tuple[donated[f32], f32]]
