from codegen.schema import static

First = Second | None
Second = tuple[First, ...]

class Grid:
    cells: static[First]
