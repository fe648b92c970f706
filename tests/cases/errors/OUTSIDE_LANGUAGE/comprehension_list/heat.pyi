from codegen.schema import static

class Grid:
    cells: static[tuple[int, ...]] = [2**i for i in range(3)]
