from codegen.schema import Dim, donated, dynamic, f32, i32, stacked

n = Dim()
layers = Dim()

class Core:
    v: donated[f32[n]]
    scale: dynamic[f32] = 3.0

class Block:
    core: donated[Core]
    count: dynamic[i32] = 2
    s: dynamic[float] = 1.0

class Net:
    blocks: donated[stacked[Block, layers]]
