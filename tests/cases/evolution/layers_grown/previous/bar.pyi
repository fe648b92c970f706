from codegen.schema import Dim, donated, f32, stacked

n = Dim()
layers = Dim()

class Core:
    v: donated[f32[n]]

class Block:
    core: donated[Core]

class Net:
    blocks: donated[stacked[Block, layers]]
