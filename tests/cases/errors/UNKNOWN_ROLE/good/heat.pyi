from codegen.schema import static as constant

class Grid:
    nx: constant[int]  # cells along x
