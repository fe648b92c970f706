from codegen.schema import dynamic, f32, impl, static

@impl("heat_model:step")
def step(x: dynamic[f32], x: dynamic[f32]) -> f32: ...

@impl("heat_model:run")
def run(x: dynamic[f32], *, n: static[int] = 1, x: dynamic[f32]) -> f32: ...

class Grid:
    nx: static[int]

    @impl("heat_model:at")
    def at(self, i: int, i: int) -> int: ...
    @impl("heat_model:size")
    def size(self, self: int) -> int: ...
