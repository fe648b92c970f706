from codegen.schema import Dim, donated, f32, stacked, static

n = Dim()
layers = Dim()

class Core:
    v: donated[f32[n]]

class Block:
    core: donated[Core]
    count: static[int] = 2

class Net:
    blocks: donated[stacked[Block, layers]]
