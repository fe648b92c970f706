from codegen.schema import Dim, donated, dynamic, f32, stacked

layers = Dim()
depth = Dim()
n = Dim()

class Block:
    w: donated[f32[n]]

class Model:
    scanned: donated[stacked[Block, layers]]
    unrolled: donated[tuple[Block, layers]]
    open: donated[stacked[Block, _]]
    maybe: donated[stacked[Block, layers] | None] = None
    longer: dynamic[stacked[Block, 2 * layers]]
    counted: dynamic[tuple[Block, depth]]
    one: donated[stacked[Block, layers]]
    same: donated[stacked[Block, 1 + layers]]
