from codegen.schema import Dim, donated, dynamic, f32, stacked

layers = Dim(mesh="stage")
depth = Dim(mesh="stage")
height = Dim(mesh="stage")
n = Dim()

class Block:
    w: donated[f32[n]]

class Model:
    blocks: donated[tuple[Block, layers]]
    pairs: dynamic[tuple[tuple[Block, 2], layers + depth]]
    deep: donated[stacked[Block, depth]]
    sizes: dynamic[tuple[float, height]]
    heights: dynamic[f32[height, n]]
