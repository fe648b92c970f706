from codegen.schema import static

class Grid(kw_only=False):
    nx: static[int]
    ny: static[int] = 4
