from codegen.schema import Dim, donated, f32, impl

n = Dim()  # cells

class Bar:
    u: donated[f32[n]]  # temperature [K]

@impl("bar:step")
def step(bar: donated[Bar]) -> Bar: ...
