from codegen.schema import Dim, donated, f32, stacked, static

layers = Dim()

class Block:
    w: donated[f32[3]]
    n: static[int] = 2

class Net:
    blocks: donated[stacked[Block, layers]]
