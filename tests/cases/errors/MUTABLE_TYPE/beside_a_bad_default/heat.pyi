from codegen.schema import dynamic, f32, impl, static

class Grid:
    n: static[list[int]] = [1]
    m: static[tuple[dict[str, int], ...]] = {}
    u: dynamic[list[f32]] = [1.0]

@impl("heat_model:step")
def step(t: dynamic[f32], n: static[list[int]] = [1]) -> f32: ...
