from codegen.schema import static

class Grid:
    if = 3
