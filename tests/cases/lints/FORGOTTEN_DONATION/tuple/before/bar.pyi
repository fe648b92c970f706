from codegen.schema import Dim, donated, dynamic, f32, impl

n = Dim()

class Bar:
    u: donated[f32[n]]

@impl("bar:step")
def step(bar: dynamic[Bar], dt: dynamic[f32]) -> tuple[Bar, f32]: ...
