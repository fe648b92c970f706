from codegen.schema import Dim, donated, dynamic, f32, impl, share, stacked, static

layers = Dim()
n = Dim()

class Options:
    rate: static[float]

class Linear:
    w: donated[f32[n]]

class Block:
    linear: donated[Linear]

class Mlp:
    fixed: static[stacked[Block, layers]]
    settings: static[stacked[Options, layers]]
    options: dynamic[tuple[stacked[Options, layers], ...]]
    blocks: donated[stacked[Block, layers]]
    either: donated[Block | stacked[Block, layers] | None]
    head: donated[Linear]
    two: dynamic[tuple[float, 2]] = (1.0, 2.0, 3.0)
    share(head, blocks.linear)

class Tree:
    trees: donated[tuple[Tree, layers]]

class Tower:
    towers: donated[stacked[Tower, layers]]

class Wide:
    blocks: dynamic[Block]

class Narrow(Wide):
    blocks: dynamic[stacked[Block, layers]]

@impl("mlp_model:step")
def step(blocks: static[stacked[Block, layers]]) -> stacked[Options, layers]: ...
