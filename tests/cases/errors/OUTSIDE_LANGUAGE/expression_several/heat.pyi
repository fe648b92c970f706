from codegen.schema import f32, static

class Grid:
    a: static[bool] = not True
    b: static[int] = 1 if True else 2
    c: static[frozenset[int]] = {1, 2}
    d: static[bool] = 1 < 2
    e: static[int] = 1 @ 2
    f: static[f32[0:3]]
