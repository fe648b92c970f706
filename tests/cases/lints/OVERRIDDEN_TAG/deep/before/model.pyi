from codegen.schema import Dim, donated, f32, field

n = Dim()  # features

class Linear:
    w: donated[f32[n]] = field(tag="decay")  # weights

class Tree:
    leaf: donated[Linear]
    kids: donated[tuple[Tree, ...]] = ()

class Model:
    tree: donated[Tree] = field(tag="frozen")
    maybe: donated[Linear | None] = field(default=None, tag=("frozen", "maybe"))
