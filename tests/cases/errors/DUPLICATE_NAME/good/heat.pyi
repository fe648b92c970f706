import a.b
import a.c

from codegen.schema import impl, static

class Base:
    nx: static[int]
    of: static[a.b.Thing | a.c.Thing]

    @impl("heat_model:size")
    def size(self) -> int: ...

class Sub(Base):
    nx: static[int] = 3

    @impl("heat_model:other_size")
    def size(self) -> int: ...
