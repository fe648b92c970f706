from codegen.schema import dynamic, f32, impl, static

class Grid:
    nx: static[int]

    @impl("heat_model:d")
    def d(self, n: int) -> float: ...

    @property
    @impl("heat_model:f")
    def f(self) -> float: ...

@impl("heat_model:step")
def step(t: dynamic[f32]) -> None: ...
