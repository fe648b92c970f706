from codegen.schema import Dim, donated, dynamic, f32, stacked

layers = Dim()
depth = Dim()
n = Dim()

class Block:
    w: donated[f32[n]]

class Model:
    scanned: donated[tuple[Block, layers]]
    unrolled: donated[stacked[Block, layers]]
    open: donated[tuple[Block, ...]]
    maybe: donated[tuple[Block, layers] | None] = None
    longer: dynamic[stacked[Block, layers]]
    counted: dynamic[tuple[Block, ...]]
    one: donated[Block]
    same: donated[stacked[Block, layers + 1]]
