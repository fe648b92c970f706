from codegen.schema import static

class Grid:
    name: static[str] = f"{3} cells"
