from codegen.schema import static

class Grid:
    name: static[str] = "3 cells"
