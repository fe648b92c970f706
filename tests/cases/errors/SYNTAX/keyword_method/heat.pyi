from codegen.schema import static

class Grid:
    def del(self) -> int: ...
