from codegen.schema import donated, dynamic, f32, static

class Tree(abstract=True, use="dynamic"):
    size: static[int] = 1

class Node(Tree):
    left: dynamic[Tree]
    right: dynamic[Tree]

class Leaf(Tree):
    value: donated[f32]

class Chain:
    next: dynamic[Chain | None] = None
    others: dynamic[tuple[Chain, ...]] = ()
