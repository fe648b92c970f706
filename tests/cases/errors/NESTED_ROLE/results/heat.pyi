from codegen.schema import donated, dynamic, f32, impl, static

class Grid:
    nx: static[int]

    @impl("heat_model:area")
    def area(self) -> dynamic[f32]: ...

@impl("heat_model:step")
def step(t: dynamic[f32]) -> donated[f32]: ...
