from codegen.schema import Dim, donated, f32, static

layers = Dim()

class Block:
    w: donated[f32[3]]
    n: static[int] = 2

class Net:
    blocks: donated[tuple[Block, layers]]
