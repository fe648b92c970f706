from codegen.schema import static

class Grid:
    cells: static[tuple[int, ...]] = (1, 2, 4)
