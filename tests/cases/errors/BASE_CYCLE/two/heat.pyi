from codegen.schema import static

class Plate(Grid):
    a: static[int]

class Grid(Plate):
    b: static[int]

class Below(Grid):
    c: static[int]
