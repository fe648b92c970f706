from codegen.schema import Dim, donated, dynamic, f32, impl, share, stacked, static

layers = Dim()
n = Dim()

class Linear:
    w: donated[f32[n]]

class Mlp:
    blocks: donated[stacked[Linear, layers]]
    twins: dynamic[stacked[Linear, layers]]
    maybe: donated[stacked[Linear, _] | None] = None
    two: dynamic[tuple[float, 2]] = (1.0, 2.0)
    several: dynamic[tuple[Linear, layers]]
    share(blocks, twins)

@impl("mlp_model:step")
def step(blocks: donated[stacked[Linear, layers]]) -> stacked[Linear, layers]: ...
