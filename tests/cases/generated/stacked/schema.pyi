from codegen.schema import Dim, donated, dynamic, f32, stacked

layers = Dim()
n = Dim()

class Block:
    w: donated[f32[n, n]]

class Model:
    scanned: donated[stacked[Block, layers]]
    unrolled: dynamic[tuple[Block, layers]]
