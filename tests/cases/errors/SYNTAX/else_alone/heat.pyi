from codegen.schema import static

class Grid:
    else: 3
