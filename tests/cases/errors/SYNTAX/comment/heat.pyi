from codegen.schema import static

class Grid:
    x: static[int] 3  # class: static
