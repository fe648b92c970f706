from codegen.schema import static

class Grid:
    class: static[int]
