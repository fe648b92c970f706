from codegen.schema import donated, dynamic, f32, impl, static

class Plate:
    a: dynamic[list[f32]] = []
    c: dynamic[dict[str, f32] | None] = {}
    d: static[list[int]] = []
    e: dynamic[tuple[f32, ...]] = []
    f: dynamic[f32] = []

@impl("heat_model:step")
def step(a: dynamic[list[f32]] = []) -> f32: ...
