from codegen.schema import f32, impl, static

class Grid:
    nx: static[int]

    @impl("heat_model:area")
    def area(self, scale: f32, n: int = 1) -> f32: ...
