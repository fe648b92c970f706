from codegen.schema import static

class Grid:
    None: static[int]
