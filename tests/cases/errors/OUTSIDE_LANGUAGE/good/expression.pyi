from codegen.schema import f32, static

class Grid:
    a: static[bool] = False
    c: static[frozenset[int]] = frozenset((1, 2))
    f: static[f32[3]]
