from codegen.schema import Dim, f32, impl, static

class Grid:
    nx: statik[int]  # cells along x
    ny: Static[int]
    u: donate[f32]
    c: const[int]

@impl("heat_model:step")
def step(t: dynamik[f32]) -> f32: ...
