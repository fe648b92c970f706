from codegen.schema import Dim, donated, dynamic, f32, impl

n = Dim()

class Bar:
    u: donated[f32[n]]

class Fixed:
    u: dynamic[f32[n]]

@impl("bar:mix")
def mix(bar: donated[Bar], other: dynamic[Bar]) -> Bar: ...
@impl("bar:fixed")
def fixed(bar: dynamic[Fixed]) -> Fixed: ...
@impl("bar:norm")
def norm(bar: dynamic[Bar]) -> f32: ...
