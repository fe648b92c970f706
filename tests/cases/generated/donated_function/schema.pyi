from codegen.schema import Dim, donated, dynamic, f32, impl, static

nx = Dim()

class Plate:
    u: donated[f32[nx]]

@impl("model:step")
def step(plate: donated[Plate], dt: dynamic[f32], n: static[int] = 1) -> Plate:
    """Advance by n steps."""
