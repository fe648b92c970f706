from codegen.schema import Dim, donated, f32, stacked

layers = Dim()

class Block:
    w: donated[f32[4]]

class Net:
    blocks: donated[stacked[Block, layers]]
