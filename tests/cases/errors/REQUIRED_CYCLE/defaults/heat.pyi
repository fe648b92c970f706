from codegen.schema import static

class Grid:
    inner: static[Grid | None] = Grid()

class Base(abstract=True):
    other: static[Base | None] = Sub()

class Sub(Base): ...
