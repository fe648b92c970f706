from codegen.schema import dynamic, f32, field, impl, static

class Grid:
    n: static[int] = field(convert="heat_model:Model.rounded")

@impl("a.heat_model:step")
def a(t: dynamic[f32]) -> f32: ...
