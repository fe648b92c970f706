"""A module that needs the other, which needs it."""

from codegen.schema import dynamic, f32

from .model import Tree

class Late(draft=True):
    tree: dynamic[Tree]
    trees: dynamic[list[Tree]]
    x: dynamic[f32] = 0.0
