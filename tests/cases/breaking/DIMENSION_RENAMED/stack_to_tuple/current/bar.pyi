from codegen.schema import Dim, donated, f32

depth = Dim()

class Block:
    w: donated[f32[4]]

class Net:
    blocks: donated[tuple[Block, depth]]
