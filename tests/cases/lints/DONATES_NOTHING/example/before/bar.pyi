from codegen.schema import Dim, donated, dynamic, f32, impl

n = Dim()  # cells

class Bar:
    u: dynamic[f32[n]]  # temperature [K]

@impl("bar:step")
def step(bar: donated[Bar]) -> Bar: ...
