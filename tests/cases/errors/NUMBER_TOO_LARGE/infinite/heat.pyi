from codegen.schema import static

class Grid:
    dx: static[float] = 1e999
