from codegen.schema import dynamic, f32, impl, static

class Grid:
    nx: static[int]

    @impl("heat_model:a")
    def a(grid) -> float: ...

    @impl("heat_model:b")
    def b() -> float: ...

    @impl("heat_model:c")
    def c(self: Grid) -> float: ...

    @impl("heat_model:d")
    def d(self, n) -> float: ...

    @impl("heat_model:e")
    def e(self): ...

    @property
    @impl("heat_model:f")
    def f(self, n: int) -> float: ...

@impl("heat_model:step")
def step(t: dynamic[f32]): ...

class Rod:
    nx: static[int]

    @property
    @impl("heat_model:g")
    def g(this) -> int: ...

    @impl("heat_model:h")
    def h(this, n: int) -> int: ...

    @impl("heat_model:i")
    def i(n: int) -> int: ...
