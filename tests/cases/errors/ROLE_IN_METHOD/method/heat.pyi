from codegen.schema import dynamic, f32, impl, static

class Grid:
    nx: static[int]

    @impl("heat_model:area")
    def area(self, scale: dynamic[f32], n: static[int] = 1) -> f32: ...
