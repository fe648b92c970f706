from codegen.schema import static

class Grid:
    nx: static[int]
    ny: static[int] = 4
