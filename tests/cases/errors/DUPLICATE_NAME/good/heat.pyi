import a.b
import a.c

from codegen.schema import field, impl, static

class Base:
    nx: static[int]
    of: static[a.b.Thing | a.c.Thing | None]

    @impl("heat_model:size")
    def size(self) -> int: ...

class Sub(Base):
    nx: static[int] = 3

    @impl("heat_model:other_size")
    def size(self) -> int: ...

class Pair:
    first: static[Sub] = field(default=Sub(of=None, nx=3))
    second: static[Sub] = field(default=Sub(of=None, nx=4))

    @impl("heat_model:at")
    def at(self, i: int, *, j: int) -> int: ...

@impl("heat_model:step", keep_unused=True)
def step(i: static[int], *, self: static[int]) -> int: ...
