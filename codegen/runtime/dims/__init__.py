"""Named dimensions: where they stand in every array, and objects made of them."""

from .abstract import make_abstract
from .bases import InitPytree, ShapedPytree

__all__ = ["InitPytree", "ShapedPytree", "make_abstract"]
