from codegen.schema import static

class Grid:
    lambda: static[int]
    x: static[int]
