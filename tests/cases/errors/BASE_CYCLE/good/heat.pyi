from codegen.schema import static

class Grid:
    b: static[int]

class Plate(Grid):
    a: static[int]
