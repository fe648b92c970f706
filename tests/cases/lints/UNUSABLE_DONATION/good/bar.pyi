from codegen.schema import Dim, donated, dynamic, f32, impl

n = Dim()  # cells

class Bar:
    u: donated[f32[n]]  # temperature [K]

@impl("bar:heat_content")
def heat_content(bar: dynamic[Bar]) -> f32: ...
