from codegen.schema import static

class Grid:
    nx: static[int] = 3
