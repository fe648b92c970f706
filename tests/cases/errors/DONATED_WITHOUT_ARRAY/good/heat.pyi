from codegen.schema import Bool, donated, dynamic, f32, impl, static

class Grid:
    nx: static[int]

class Plate:
    t: dynamic[float]
    u: donated[f32]
    maybe: donated[f32 | None] = None
    grid: static[Grid]

class Mask:
    is_open: donated[Bool]

class Plant:
    plates: donated[dict[str, list[Plate]]]

@impl("heat_model:step")
def step(plant: donated[Plant], u: donated[tuple[f32, int]]) -> Plant: ...
